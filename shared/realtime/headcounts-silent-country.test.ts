import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { at, COUNTRIES, network, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";
import { headcountsUpToTickStatement } from "./headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "./headcounts.ts";

/** Latvia's last measurement, a day before Estonia's. */
const LAST = at(-24 * 60 + 35);

const warehouse = await startRealtimeWarehouse();
const { append, measured, refreshed, run } = warehouse;

beforeEach(async () => {
  await warehouse.empty();
  const networks = [network(1), network(2), network(1, "LAT"), network(2, "LAT")];
  await warehouse.client.dataset("mobility").table("geography_cells").insert(networks);
});

afterAll(() => warehouse.close());

async function appendBorder(map_id: string, here: Record<number, number>, there: Record<number, number>): Promise<void> {
  await append(version(map_id, 1, here), version(map_id, 1, there, { part: 1, country_code: "LAT" }));
}

/** Returns name, people, result and measurement time of each map at noon. */
async function noon(): Promise<(string | number)[][]> {
  return (await refreshed(at(0))).map((row) => [row.target_name, row.people_count, row.result, row.timestamp]);
}

describe("if a country's feed fell silent a day ago", () => {
  it("its maps are stale as of its last measurement, and maps of other countries are counted", async () => {
    await measured(at(0), { 1: [100, 50] });
    await measured(LAST, { 1: [7, 6] }, "LAT");
    const latvia = { country_code: "LAT" };
    await append(version("here", 1, { 1: 1 }), version("there", 1, { 1: 1 }, latvia), version("there nobody", 1, { 2: 1 }, latvia));
    await append(version("sea", 1, { 9: 1 }, latvia));
    expect(await noon()).toEqual([
      ["here v1", 100, "SUCCESS", at(0).toISOString()],
      ["sea v1", 0, "OUT_OF_COVERAGE", LAST.toISOString()],
      ["there nobody v1", 0, "STALE", LAST.toISOString()],
      ["there v1", 0, "STALE", LAST.toISOString()],
    ]);
  });

  it("a border map is stale as of that measurement if it counted people there", async () => {
    await measured(at(0), { 1: [100, 50] });
    await measured(LAST, { 1: [7, 6] }, "LAT");
    await appendBorder("both", { 1: 1 }, { 1: 1 });
    await appendBorder("beside the network", { 1: 1 }, { 9: 1 });
    expect(await noon()).toEqual([
      ["beside the network v1", 100, "SUCCESS", at(0).toISOString()],
      ["both v1", 0, "STALE", LAST.toISOString()],
    ]);
  });

  it("older measurements of other countries in the same hour are read but not counted", async () => {
    await measured(at(0), { 1: [100, 50] });
    await measured(LAST, { 1: [1000, 500] });
    await measured(LAST, { 1: [7, 6] }, "LAT");
    await append(version("here", 1, { 1: 1 }));
    expect(await noon()).toEqual([["here v1", 100, "SUCCESS", at(0).toISOString()]]);
  });
});

describe("the newest ticks", () => {
  it("are each country's newest complete tick, without duplicates, up to the tick and two days back", async () => {
    await measured(at(-2 * 24 * 60), { 1: [100, 50] }, "NOR");
    await measured(LAST, { 1: [100, 50] }, "LTU");
    await measured(at(-5), { 1: [100, 50] });
    await measured(at(0), { 1: [100, 50] });
    await measured(at(0), { 1: [100, 50] }, "LAT");
    await measured(at(5), { 1: [100, 50] });
    const newest = (minutes: number) => run(newestTicksStatement(at(minutes)));
    expect(await newest(0)).toEqual([LAST.toISOString(), at(0).toISOString()]);
    expect(await newest(4)).toEqual(await newest(0));
    expect(await newest(5)).toEqual([LAST.toISOString(), at(0).toISOString(), at(5).toISOString()]);
    expect(await newest(4 * 24 * 60)).toEqual([]);
  });

  it("of a running statement do not change when another tick becomes complete", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }));
    const found = await run(newestTicksStatement(at(5)));
    await measured(at(5), { 1: [200, 50] });
    await run(headcountsStatement(at(5), COUNTRIES, found));
    expect(await run(headcountsUpToTickStatement(at(5), 300_000))).toMatchObject([
      { people_count: 100, result: "SUCCESS", timestamp: at(0).toISOString() },
    ]);
  });
});
