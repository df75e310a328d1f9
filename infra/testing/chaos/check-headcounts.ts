import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { RealtimeDataResponse } from "../../../shared/realtime/schemas.ts";
import type { Ready } from "../../local/ready-file.ts";
import type { Findings } from "./check-jobs.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { MonitoredMap } from "./monitor-maps.ts";

const Row = v.object({ tick: v.object({ value: v.string() }), target_id: v.string(), rows_found: v.number() });
type Row = v.InferOutput<typeof Row>;

const LOCATIONS = { realtime: "europe-north1", realtime_eu: "EU" };

/** Whether a row is of a tick of the schedule. A map that was just enabled or changed is measured at the very millisecond. */
function isOfTick({ tick }: Row, tickSeconds: number): boolean {
  return new Date(tick.value).getTime() % (tickSeconds * 1000) === 0;
}

/**
 * Checks that every map has one row per tick, in the home location and in the copy, and that its customer can read it. The copy has no
 * rows of maps that were measured between ticks.
 */
export async function checkHeadcounts(
  ready: Ready,
  customers: readonly ChaosCustomer[],
  maps: readonly MonitoredMap[],
  tickSeconds: number,
): Promise<Findings> {
  const [here, copy] = await Promise.all([rowsOf(ready, "realtime"), rowsOf(ready, "realtime_eu")]);
  const monitored = new Set(maps.map(({ id }) => id));
  const own = here.filter(({ target_id }) => monitored.has(target_id));
  const faults = [...here, ...copy]
    .filter(({ rows_found }) => rows_found !== 1)
    .map(({ tick, target_id, rows_found }) => `${target_id} has ${rows_found} rows at ${tick.value}`);
  const keys = (rows: readonly Row[]) => new Set(rows.map(({ tick, target_id }) => `${target_id} at ${tick.value}`));
  const [ofHere, ofCopy] = [keys(here), keys(copy)];
  faults.push(
    ...[...keys(here.filter((row) => isOfTick(row, tickSeconds)))]
      .filter((key) => !ofCopy.has(key))
      .map((key) => `the copy in eu lacks ${key}`),
  );
  faults.push(...[...ofCopy].filter((key) => !ofHere.has(key)).map((key) => `only the copy in eu has ${key}`));
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

async function rowsOf(ready: Ready, dataset: keyof typeof LOCATIONS): Promise<Row[]> {
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
  const query = `SELECT tick, target_id, COUNT(*) AS rows_found FROM \`${dataset}.headcounts\`
    WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) GROUP BY tick, target_id`;
  const [rows] = await bigquery.query({ query, location: LOCATIONS[dataset] });
  return v.parse(v.array(Row), rows);
}
