import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { at, COUNTRIES, network, startRealtimeWarehouse, version } from "../../infra/testing/realtime-warehouse.ts";

const warehouse = await startRealtimeWarehouse();
const { append, counted, measured, refreshed } = warehouse;

beforeEach(() => warehouse.empty());

afterAll(() => warehouse.close());

describe("the headcount of a map", () => {
  it("is the weighted sum of the published cells: those of k devices, people to the nearest step", async () => {
    await measured(at(0), { 1: [109, 50], 2: [45, 20], 3: [15, 4], 5: [6, 5] });
    await append(version("m", 1, { 1: 0.5, 2: 1, 3: 1, 4: 1, 5: 1 }));
    expect(await counted(at(0))).toEqual([["m v1", 50 + 40 + 20, "SUCCESS"]]);
  });

  it("uses all cells of the newest version, and counts duplicate rows once", async () => {
    await measured(at(0), { 1: [100, 50], 2: [40, 20] });
    await append(version("m", 1, { 1: 1, 2: 1 }), version("m", 2, { 1: 1 }), version("m", 2, { 2: 0.5 }, { part: 1 }));
    await append(version("m", 2, { 1: 1 }, { parts: 2, appended_at: at(-9).toISOString() }));
    expect(await counted(at(0))).toEqual([["m v2", 120, "SUCCESS"]]);
  });

  it("uses the cells of a geometry in every version that has it, and in every map", async () => {
    await measured(at(0), { 1: [100, 50] });
    const same = { geometry: "m v1", parts: 1 };
    await append(version("m", 1, { 1: 1 }), version("m", 2, {}, same), version("n", 1, {}, same));
    expect(await counted(at(0))).toEqual([
      ["m v2", 100, "SUCCESS"],
      ["n v1", 100, "SUCCESS"],
    ]);
  });

  it("is missing, not a part of the whole, while the warehouse lacks some of the map's cells", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }, { parts: 2 }), version("all", 1, { 1: 1 }), version("none", 1, {}, { parts: 1 }));
    expect(await counted(at(0))).toEqual([
      ["all v1", 100, "SUCCESS"],
      ["m v1", 0, "NO_DATA"],
      ["none v1", 0, "NO_DATA"],
    ]);
  });

  it("does not exist if the newest version is not monitored", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }), version("m", 2, {}, { is_monitored: false }));
    expect(await counted(at(0))).toEqual([]);
  });

  it("at a late tick uses the version in effect at the tick, or the oldest version", async () => {
    await measured(at(-20), { 1: [100, 50], 2: [40, 20] });
    await append(version("m", 1, { 1: 1 }, { appended_at: at(-15).toISOString() }), version("m", 2, { 2: 1 }));
    expect(await counted(at(-12))).toEqual([["m v1", 100, "SUCCESS"]]);
    expect(await counted(at(-10))).toEqual([["m v2", 40, "SUCCESS"]]);
    expect(await counted(at(-17))).toEqual([["m v1", 100, "SUCCESS"]]);
  });

  it("at a late tick does not exist for a map that was off then or is off now", async () => {
    await measured(at(-15), { 1: [100, 50] });
    const later = { appended_at: at(-5).toISOString() };
    await append(version("was off", 1, {}, { is_monitored: false }), version("was off", 2, { 1: 1 }, later));
    await append(version("is off", 1, { 1: 1 }), version("is off", 2, {}, { is_monitored: false, ...later }));
    expect(await counted(at(-8))).toEqual([]);
    expect(await counted(at(-4))).toEqual([["was off v2", 100, "SUCCESS"]]);
  });

  it("of standard geographies adds up their cells, also if two share a cell", async () => {
    await measured(at(0), { 1: [100, 50], 2: [40, 20] });
    const cells = [
      { geo_id: 7, cell_id: 1, weight: 0.25 },
      { geo_id: 8, cell_id: 1, weight: 0.75 },
      { geo_id: 8, cell_id: 2, weight: 0.5 },
      { geo_id: 9, cell_id: 2, weight: 0.5 },
    ];
    const rows = cells.map((cell) => ({ country_code: "EST", geo_type: "admin_level_4", ...cell }));
    await warehouse.client.dataset("mobility").table("geography_cells").insert(rows);
    await append(version("m", 1, {}, { geo_type: "admin_level_4", geo_ids: [7, 8] }));
    expect(await counted(at(0))).toEqual([["m v1", 120, "SUCCESS"]]);
  });

  it("across two countries is the sum over each country's newest tick", async () => {
    await measured(at(0), { 1: [100, 50] });
    await measured(at(-5), { 1: [27, 7] }, "LAT");
    await append(version("m", 1, { 1: 1 }), version("m", 1, { 1: 1 }, { part: 1, country_code: "LAT" }));
    expect(await refreshed(at(0))).toMatchObject([{ people_count: 130, result: "SUCCESS", timestamp: at(-5).toISOString() }]);
  });
});

describe("an unavailable headcount", () => {
  it("is suppressed of fewer devices than the k of its own country: 6 devices are too few in Latvia, enough in Estonia", async () => {
    const { EST, LAT } = COUNTRIES;
    if (!EST || !LAT) throw new Error("the sample countries have rules");
    expect(EST.k).toBeLessThan(LAT.k);
    for (const country of ["EST", "LAT"] as const) await measured(at(0), { 1: [7, LAT.k - 1] }, country);
    await warehouse.client
      .dataset("mobility")
      .table("geography_cells")
      .insert([network(1, "LAT")]);
    await append(version("here", 1, { 1: 1 }), version("there", 1, { 1: 1 }, { country_code: "LAT" }));
    expect(await counted(at(0))).toEqual([
      ["here v1", 20, "SUCCESS"],
      ["there v1", 0, "SUPPRESSED"],
    ]);
  });

  it("has a reason and no number", async () => {
    await measured(at(0), { 1: [100, 50], 3: [9, 4] });
    await warehouse.client
      .dataset("mobility")
      .table("geography_cells")
      .insert([network(1), network(2), network(3)]);
    await append(
      version("few", 1, { 3: 1 }),
      version("nobody", 1, { 2: 1 }),
      version("sea", 1, { 99: 1 }),
      version("abroad", 1, {}, { country_code: null }),
    );
    expect(await counted(at(0))).toEqual([
      ["abroad v1", 0, "OUT_OF_COVERAGE"],
      ["few v1", 0, "SUPPRESSED"],
      ["nobody v1", 0, "SUPPRESSED"],
      ["sea v1", 0, "OUT_OF_COVERAGE"],
    ]);
  });

  it("is the same with withheld cells as with nobody: at the border, where countries have other ticks, and beside the network", async () => {
    const there = { part: 1, country_code: "LAT" };
    const rows = async () =>
      (await refreshed(at(0))).map(({ target_name, people_count, result, timestamp }) => [target_name, people_count, result, timestamp]);
    const answers = [];
    for (const few of [{}, { 2: [6, 6], 9: [4, 4] }] as const) {
      await warehouse.empty();
      await measured(at(0), { 1: [100, 50], ...(Object.keys(few).length > 0 ? { 8: [4, 4] } : {}) });
      await measured(at(-20), few, "LAT");
      await append(version("border", 1, { 1: 1 }), version("border", 1, { 2: 1 }, there), version("sea", 1, { 8: 1 }));
      answers.push(await rows());
    }
    const [nobody, withheld] = answers;
    expect(withheld).toEqual(nobody);
    expect(nobody).toEqual([
      ["border v1", 100, "SUCCESS", at(0).toISOString()],
      ["sea v1", 0, "OUT_OF_COVERAGE", at(0).toISOString()],
    ]);
  });

  it("is suppressed below a step, at the border by the larger step", async () => {
    await measured(at(0), { 1: [100, 50] });
    await measured(at(0), { 1: [90, 50] }, "LAT");
    await append(version("below 20", 1, { 1: 0.19 }), version("20", 1, { 1: 0.195 }), version("nearly none", 1, { 1: 0.001 }));
    const there = { part: 1, country_code: "LAT" };
    await append(version("below 30", 1, { 1: 0.15 }), version("below 30", 1, { 1: 0.15 }, there));
    await append(version("30", 1, { 1: 0.16 }), version("30", 1, { 1: 0.15 }, there));
    expect(await counted(at(0))).toEqual([
      ["20 v1", 20, "SUCCESS"],
      ["30 v1", 30, "SUCCESS"],
      ["below 20 v1", 0, "SUPPRESSED"],
      ["below 30 v1", 0, "SUPPRESSED"],
      ["nearly none v1", 0, "SUPPRESSED"],
    ]);
  });

  it("is withheld in the coverage of its country, where nobody is and no geography, and out of coverage beside it", async () => {
    await measured(at(0), { 1: [100, 50] });
    const run = { country_code: "EST", northing: 6500250, first_cell_id: 5152550 * 1e7 + 6500250, last_cell_id: 5153250 * 1e7 + 6500250 };
    await warehouse.client.dataset("mobility").table("coverage").insert([run]);
    const cells = {
      west: run.first_cell_id - 250 * 1e7,
      first: run.first_cell_id,
      within: run.first_cell_id + 500 * 1e7,
      last: run.last_cell_id,
      east: run.last_cell_id + 250 * 1e7,
      north: run.first_cell_id + 250,
    };
    await append(...Object.entries(cells).map(([name, cell]) => version(name, 1, { [cell]: 1 })));
    await append(version("abroad", 1, { [cells.within]: 1 }, { country_code: "LAT" }));
    expect(await counted(at(0))).toEqual([
      ["abroad v1", 0, "OUT_OF_COVERAGE"],
      ["east v1", 0, "OUT_OF_COVERAGE"],
      ["first v1", 0, "SUPPRESSED"],
      ["last v1", 0, "SUPPRESSED"],
      ["north v1", 0, "OUT_OF_COVERAGE"],
      ["west v1", 0, "OUT_OF_COVERAGE"],
      ["within v1", 0, "SUPPRESSED"],
    ]);
  });

  it("is stale if the newest complete tick is over 15 minutes old; a tick without a ledger row is not complete", async () => {
    await measured(at(0), { 1: [100, 50] });
    await warehouse.publishedAlone(at(5), { 1: 1000 });
    await append(version("m", 1, { 1: 1 }));
    expect(await counted(at(15))).toEqual([["m v1", 100, "SUCCESS"]]);
    expect(await counted(at(16))).toEqual([["m v1", 0, "STALE"]]);
  });

  it("has no data if one of two countries has no tick but has a network at the map", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("border", 1, { 1: 1 }), version("border", 1, { 1: 1 }, { part: 1, country_code: "LAT" }));
    expect(await counted(at(0))).toEqual([["border v1", 100, "SUCCESS"]]);
    await warehouse.client
      .dataset("mobility")
      .table("geography_cells")
      .insert([network(1, "LAT")]);
    expect(await counted(at(5))).toEqual([["border v1", 0, "NO_DATA"]]);
  });

  it("has no data if no tick arrived in two days", async () => {
    await measured(at(0), { 1: [100, 50] });
    await warehouse.client
      .dataset("mobility")
      .table("geography_cells")
      .insert([network(1)]);
    await append(version("m", 1, { 1: 1 }));
    expect(await counted(at(2 * 24 * 60 + 1))).toEqual([["m v1", 0, "NO_DATA"]]);
  });
});

describe("a tick", () => {
  it("adds nothing for a map that has its row when it runs again", async () => {
    await measured(at(0), { 1: [100, 50] });
    await append(version("m", 1, { 1: 1 }));
    expect(await counted(at(0))).toEqual([["m v1", 100, "SUCCESS"]]);
    expect(await counted(at(0))).toEqual([["m v1", 100, "SUCCESS"]]);
    await append(version("n", 1, { 1: 1 }));
    expect(await counted(at(0))).toEqual([
      ["m v1", 100, "SUCCESS"],
      ["n v1", 100, "SUCCESS"],
    ]);
  });
});
