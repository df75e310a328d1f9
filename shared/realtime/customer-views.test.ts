import { readFileSync } from "node:fs";
import * as v from "valibot";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { at, network, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";

const WAREHOUSE = new URL("../../infra/warehouse/", import.meta.url);
const VIEWS = [
  { view: "realtime_data", dataset: "customer_acme", source: "realtime_customers", location: "europe-north1" },
  { view: "target_country_summary_view_customer", dataset: "customer_acme_eu", source: "realtime_eu", location: "EU" },
];

const Rows = v.array(
  v.object({
    target_name: v.string(),
    timestamp: v.object({ value: v.string() }),
    people_count: v.nullable(v.number()),
    target_id: v.string(),
    result: v.string(),
  }),
);

const warehouse = await startRealtimeWarehouse();
const { append, measured, refreshed } = warehouse;

function definition(view: string, uid = "acme"): string {
  return readFileSync(new URL(`customer/${view}.sql`, WAREHOUSE), "utf8").replaceAll("{uid}", uid);
}

/** Everything of a definition but its view. */
function ofTable(view: string, uid: string): string {
  return definition(view, uid).split("CREATE OR REPLACE VIEW")[0] ?? "";
}

beforeEach(async () => {
  await warehouse.empty();
  const connection = await warehouse.connection();
  for (const { view, source } of VIEWS)
    for (const uid of ["acme", "other"]) {
      await warehouse.applyDdl(ofTable(view, uid));
      await connection.run(`DELETE FROM ${source}.headcounts_${uid}`);
    }
  connection.closeSync();
  await warehouse.client
    .dataset("mobility")
    .table("geography_cells")
    .insert([network(1), network(2), network(3)]);
});

afterAll(() => warehouse.close());

/** Runs ticks and copies their rows to the customers' tables, as a refresh does. */
async function refresh(...ticks: readonly Date[]): Promise<void> {
  for (const tick of ticks)
    for (const [uid, rows] of Map.groupBy(await refreshed(tick), (row) => row.uid))
      for (const { source } of VIEWS) await warehouse.client.dataset(source).table(`headcounts_${uid}`).insert(rows);
}

describe.each(VIEWS)("$view", ({ view, dataset, source, location }) => {
  const read = async () => {
    await warehouse.applyDdl(definition(view));
    const query = `SELECT * FROM \`${dataset}.${view}\` ORDER BY target_id, timestamp, result`;
    return (await warehouse.client.query({ query, location }))[0];
  };
  const rows = async () =>
    v.parse(Rows, await read()).map((row) => [row.target_id, row.target_name, row.timestamp.value, row.people_count, row.result]);

  it("has rows of every result, with people only if published; maps of one name differ by target_id", async () => {
    await measured(at(0), { 1: [100, 50], 2: [3, 3] });
    await append(version("a", 1, { 1: 1 }, { name: "Centre" }), version("b", 1, { 2: 1 }, { name: "Centre" }));
    await append(version("c", 1, { 3: 1 }, { name: "Centre" }), version("d", 1, { 9: 1 }, { name: "Centre" }));
    await append(version("theirs", 1, { 1: 1 }, { uid: "other" }));
    await refresh(at(0));
    const now = at(0).toISOString();
    expect(await rows()).toEqual([
      ["a", "Centre", now, 100, "SUCCESS"],
      ["b", "Centre", now, null, "SUPPRESSED"],
      ["c", "Centre", now, null, "SUPPRESSED"],
      ["d", "Centre", now, null, "OUT_OF_COVERAGE"],
    ]);
  });

  it("keeps a published headcount when its measurement grows stale, and has one row if two ticks read a measurement", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("a", 1, { 1: 1 }));
    await refresh(at(0), at(5), at(20), at(25));
    expect(await rows()).toEqual([
      ["a", "a v1", at(0).toISOString(), null, "STALE"],
      ["a", "a v1", at(0).toISOString(), 100, "SUCCESS"],
    ]);
  });

  it("reads as many bytes as before when another customer gets maps and headcounts", async () => {
    const bytes = async (): Promise<unknown> => {
      const query = `SELECT * FROM \`${dataset}.${view}\``;
      const [{ metadata }] = await warehouse.client.createQueryJob({ query, location, dryRun: true });
      return v.parse(v.object({ statistics: v.object({ totalBytesProcessed: v.string() }) }), metadata).statistics.totalBytesProcessed;
    };
    await warehouse.applyDdl(definition(view));
    await measured(at(0), { 1: [100, 50] });
    await append(version("a", 1, { 1: 1 }));
    await refresh(at(0));
    const before = await bytes();
    expect(Number(before)).toBeGreaterThan(0);
    for (let map = 0; map < 50; map++) await append(version(`theirs${map}`, 1, { 1: 1 }, { uid: "other" }));
    await refresh(at(5));
    const twoRows = await bytes();
    expect(Number(twoRows)).toBe(2 * Number(before));
  });

  it("of an older version has the new columns after the next start, which defines it again", async () => {
    await warehouse.applyDdl(`CREATE SCHEMA IF NOT EXISTS ${dataset} OPTIONS (location = '${location}');
      CREATE OR REPLACE VIEW ${dataset}.${view} AS SELECT target_name, timestamp, people_count FROM \`${source}.headcounts_acme\` WHERE uid = 'acme'`);
    await measured(at(0), { 1: [100, 50] });
    await append(version("a", 1, { 1: 1 }));
    await refresh(at(0));
    expect((await read()).map((row) => Object.keys(row))).toEqual([["target_name", "timestamp", "people_count", "target_id", "result"]]);
  });
});
