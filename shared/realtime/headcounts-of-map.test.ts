import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { at, COUNTRIES, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";
import { headcountOfMapStatement } from "./headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "./headcounts.ts";

const warehouse = await startRealtimeWarehouse();
const { append, counted, measured, run } = warehouse;

beforeEach(() => warehouse.empty());

afterAll(() => warehouse.close());

/** Measures a version of the map `m` by itself at a time, and returns the rows that it has at this time. */
async function alone(number: number, minutes: number): Promise<(string | number)[][]> {
  const tick = at(minutes);
  const newest = await run(newestTicksStatement(tick));
  await run(headcountsStatement(tick, COUNTRIES, newest, { uid: "acme", mapId: "m", version: number }));
  const rows = await run(headcountOfMapStatement(tick, { uid: "acme", mapId: "m" }));
  return rows.map(({ target_name, people_count, timestamp }) => [target_name, people_count, timestamp]);
}

describe("a map that is measured by itself", () => {
  it("has the headcount that a tick gives it, from the newest complete measurement", async () => {
    await measured(at(-5), { 1: [100, 50], 2: [40, 20] });
    await warehouse.publishedAlone(at(0), { 1: 999 });
    await append(version("m", 1, { 1: 0.5, 2: 1 }), version("other", 1, { 1: 1 }));
    expect(await alone(1, 1)).toEqual([["m v1", 90, at(-5).toISOString()]]);
    expect(await counted(at(2))).toEqual([
      ["m v1", 90, "SUCCESS"],
      ["other v1", 100, "SUCCESS"],
    ]);
  });

  it("counts although the warehouse was told after the change", async () => {
    await measured(at(0), { 1: [100, 50], 2: [40, 20] });
    await append(version("m", 1, { 1: 1 }), version("m", 2, { 2: 1 }, { appended_at: at(3).toISOString() }));
    expect(await alone(2, 2)).toEqual([["m v2", 40, at(0).toISOString()]]);
  });

  it("gets one row, however often it is measured", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }));
    const once = [["m v1", 100, at(0).toISOString()]];
    expect(await alone(1, 1)).toEqual(once);
    expect(await alone(1, 1)).toEqual(once);
  });

  it("gets one row beside a tick of the same instant, which measures the other maps", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }), version("other", 1, { 1: 1 }));
    expect(await alone(1, 5)).toHaveLength(1);
    const all = [
      ["m v1", 100, "SUCCESS"],
      ["other v1", 100, "SUCCESS"],
    ];
    expect(await counted(at(5))).toEqual(all);
    expect(await alone(1, 5)).toHaveLength(1);
    expect(await counted(at(5))).toEqual(all);
  });

  it.each([
    ["changed", version("m", 2, { 1: 1 })],
    ["disabled or deleted", version("m", 2, {}, { is_monitored: false })],
  ])("gets no row once it is %s", async (_what, newer) => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }), newer);
    expect(await alone(1, 1)).toEqual([]);
  });

  it("gets no row before the warehouse knows its version", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }), version("m", 2, { 1: 1 }, { part: 1, parts: 2 }));
    expect(await alone(2, 1)).toEqual([]);
  });
});
