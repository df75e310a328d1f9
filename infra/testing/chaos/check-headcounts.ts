import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { RealtimeDataResponse } from "../../../shared/realtime/schemas.ts";
import type { Ready } from "../../local/ready-file.ts";
import type { Findings } from "./check-jobs.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { MonitoredMap } from "./monitor-maps.ts";

const Row = v.object({ tick: v.object({ value: v.string() }), uid: v.string(), target_id: v.string(), rows_found: v.number() });
type Row = v.InferOutput<typeof Row>;

const LOCATIONS = { realtime: "europe-north1", realtime_customers: "europe-north1", realtime_eu: "EU" };

/**
 * Checks that every map has one row per tick, and one of each time that it was measured by itself, among all headcounts and in both tables of
 * its customer, and that its customer can read it. The last tick has been fired after all maps were measured.
 */
export async function checkHeadcounts(ready: Ready, customers: readonly ChaosCustomer[], maps: readonly MonitoredMap[]): Promise<Findings> {
  const here = await rowsOf(ready, "realtime", "headcounts");
  const monitored = new Set(maps.map(({ id }) => id));
  const own = here.filter(({ target_id }) => monitored.has(target_id));
  const keyOf = ({ tick, target_id }: Row): string => `${target_id} at ${tick.value}`;
  const faults = here.flatMap(twice);
  for (const { uid } of customers)
    for (const dataset of ["realtime_customers", "realtime_eu"] as const) {
      const table = await rowsOf(ready, dataset, `headcounts_${uid}`);
      const theirs = here.filter((row) => row.uid === uid);
      const [ofHere, ofTable] = [new Set(theirs.map(keyOf)), new Set(table.map(keyOf))];
      faults.push(...table.flatMap(twice));
      faults.push(...[...ofHere].filter((key) => !ofTable.has(key)).map((key) => `the table of ${uid} in ${dataset} lacks ${key}`));
      faults.push(...[...ofTable].filter((key) => !ofHere.has(key)).map((key) => `only the table of ${uid} in ${dataset} has ${key}`));
    }
  for (const customer of customers) {
    const response = await fetch(`${ready.data_base_url}/admin/realtime/data`, { headers: { "x-api-key": customer.key } });
    const seen = v.parse(RealtimeDataResponse, await response.json()).rows.map(({ target_id }) => target_id);
    const wanted = maps.filter((map) => map.customer.uid === customer.uid);
    faults.push(...wanted.filter(({ id }) => !seen.includes(id)).map(({ id }) => `${id} is monitored but not in the realtime data`));
    if (new Set(seen).size !== seen.length) faults.push(`${customer.uid} reads a map twice`);
  }
  const ticks = new Set(own.map(({ tick }) => tick.value)).size;
  return { counts: { "maps monitored": monitored.size, "ticks with rows": ticks, "headcounts of theirs": own.length }, faults };
}

function twice({ tick, target_id, rows_found }: Row): string[] {
  return rows_found === 1 ? [] : [`${target_id} has ${rows_found} rows at ${tick.value}`];
}

async function rowsOf(ready: Ready, dataset: keyof typeof LOCATIONS, table: string): Promise<Row[]> {
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
  const query = `SELECT tick, uid, target_id, COUNT(*) AS rows_found FROM \`${dataset}.${table}\`
    WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) GROUP BY tick, uid, target_id`;
  const [rows] = await bigquery.query({ query, location: LOCATIONS[dataset] });
  return v.parse(v.array(Row), rows);
}
