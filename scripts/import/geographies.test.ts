import { describe, expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const ODM = "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices";
const pair = (country: string, date: string, from: number, to: number, trips: number, devices: number): string =>
  `${country},${date},admin_level_4,${from},admin_level_4,${to},${trips},${devices}`;
const GEOGRAPHIES = "country_code,geo_type,geo_id,geo_name,parent_id,lon,lat";

async function warehouse(): Promise<ImportUnderTest> {
  const started = await startImportUnderTest();
  onTestFinished(started.close);
  return started;
}

describe("geographies", () => {
  const AREAS = [GEOGRAPHIES, "UTO,admin_level_4,1,One,,10,60", "UTO,admin_level_4,2,Two,,11,60"];

  test("replace only the country's rows of the types in the file", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS, "UTO,admin_level_2,9,Province,,10,60", "EST,admin_level_4,1,Other,,25,59"));
    const lines = await run("geographies", "--file", madeCsv(GEOGRAPHIES, "UTO,admin_level_4,2,Renamed,9,11,60"));
    expect(lines.at(-1)).toBe("Loaded geographies UTO: 1 row, version 2");
    expect(await rows("SELECT country_code, geo_type, geo_id, geo_name FROM mobility.geographies ORDER BY 1, 2, 3")).toEqual([
      { country_code: "EST", geo_type: "admin_level_4", geo_id: 1, geo_name: "Other" },
      { country_code: "UTO", geo_type: "admin_level_2", geo_id: 9, geo_name: "Province" },
      { country_code: "UTO", geo_type: "admin_level_4", geo_id: 2, geo_name: "Renamed" },
    ]);
  });

  test("have the extents of their outlines, whatever the file says of them", async () => {
    const { run, rows } = await warehouse();
    const HOLED =
      "MULTIPOLYGON(((10 60, 11 60, 11 61, 10 60)), ((-9.5 -1e-1, 12 60.5, 12 61.25, -9.5 -1e-1), (11 60, 11.5 60.2, 11.5 60.5, 11 60)))";
    const file = madeCsv(
      `${GEOGRAPHIES},geometry,west`,
      `UTO,admin_level_4,1,One,,10,60,"${HOLED}",99`,
      "UTO,admin_level_4,2,Two,,11,60,,99",
    );
    expect(await run("geographies", "--file", file)).toContain("Note: the file's column west is ignored: the import computes it");
    expect(await rows("SELECT geo_id, west, south, east, north FROM mobility.geographies ORDER BY 1")).toEqual([
      { geo_id: 1, west: -9.5, south: -0.1, east: 12, north: 61.25 },
      { geo_id: 2, west: null, south: null, east: null, north: null },
    ]);
  });

  const DISTANCES =
    "SELECT origin_geo_id, ROUND(general_distance_m) AS metres FROM mobility.odm_daily WHERE batch_date = '2026-03-01' ORDER BY 1";

  test("provide the distances of pairs if the country's rule is centroids", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS));
    const lines = await run(
      "odm_daily",
      "--file",
      madeCsv(ODM, pair("UTO", "2026-03-01", 1, 2, 160, 50), pair("UTO", "2026-03-01", 2, 2, 160, 50)),
    );
    expect(lines.join()).not.toContain("Warning");
    // One degree of longitude at 60° N on a sphere of 6,371,010 m, along the great circle.
    expect(await rows(DISTANCES)).toEqual([
      { origin_geo_id: 1, metres: 55597 },
      { origin_geo_id: 2, metres: 0 },
    ]);
  });

  test("replace distances in a file", async () => {
    const { run, rows } = await warehouse();
    await run("geographies", "--file", madeCsv(...AREAS));
    const file = madeCsv(
      `${ODM},general_distance_m`,
      `${pair("UTO", "2026-03-01", 1, 2, 160, 50)},77`,
      `${pair("UTO", "2026-03-01", 2, 1, 160, 50)},`,
    );
    const lines = await run("odm_daily", "--file", file);
    expect(lines).toContain("Note: the file's column general_distance_m is ignored: the import computes it");
    expect(await rows(DISTANCES)).toEqual([
      { origin_geo_id: 1, metres: 55597 },
      { origin_geo_id: 2, metres: 55597 },
    ]);
  });

  test("change the distances of the same pairs after a correction", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(ODM, pair("UTO", "2026-03-01", 1, 2, 160, 50));
    await expect(run("odm_daily", "--file", file)).rejects.toThrow(
      "1 id in origin_geo_id not in geographies: 1\n1 id in destination_geo_id not in geographies: 2\nWhat is published of a row depends on the geographies around it: load geographies first",
    );
    await run("geographies", "--file", madeCsv(GEOGRAPHIES, "UTO,admin_level_4,1,One,,10,60", "UTO,admin_level_4,2,Two,,10,60"));
    await run("odm_daily", "--file", file);
    expect(await rows(DISTANCES)).toEqual([{ origin_geo_id: 1, metres: 0 }]);
    await run("geographies", "--file", madeCsv(...AREAS));
    expect(await run("odm_daily", "--file", file)).toContain("Loaded odm_daily 2026-03-01 UTO: 1 row, 1 published, version 2");
    expect(await rows(DISTANCES)).toEqual([{ origin_geo_id: 1, metres: 55597 }]);
  });

  test("of roads are lines on the globe", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv("country_code,link_id,name,class,geometry", 'EST,7,"",primary,"LINESTRING (24 59, 25 59)"');
    expect((await run("road_links", "--file", file)).at(-1)).toBe("Loaded road_links EST: 1 row, version 1");
    const near = "SELECT link_id FROM mobility.road_links WHERE ST_DWITHIN(geometry, ST_GEOGPOINT(24.5, 59.001), 2000)";
    expect(await rows(near)).toEqual([{ link_id: 7 }]);
  });
});

describe("a parent", () => {
  test.each([
    ["that is no geography", "404"],
    ["of another type than the one above", "2"],
  ])("%s is told when its area is loaded, which may be the only row of its file", async (_, parent) => {
    const { run } = await warehouse();
    await run("geographies", "--file", madeCsv(GEOGRAPHIES, "EST,admin_level_2,9,County,,25,59", "EST,admin_level_4,2,Two,9,25,59"));
    const lines = await run("geographies", "--file", madeCsv(GEOGRAPHIES, `EST,admin_level_4,1,One,${parent},25,59`));
    expect(lines.slice(2)).toEqual([
      "Loaded geographies EST: 1 row, version 2",
      "Warning: 1 id in geo_id with a parent_id that is no geography (the admin_level_4 area of a cell, the admin_level_2 area of an admin_level_4 area): 1. No coarser row counts them",
    ]);
    expect((await run("geographies", "--file", madeCsv(GEOGRAPHIES, "EST,admin_level_4,1,One,9,25,59"))).join()).not.toContain("Warning");
  });
});

describe("a dry run", () => {
  test("refuses what the load would refuse, and loads nothing", async () => {
    const { run, rows, staged } = await warehouse();
    const file = madeCsv(ODM, pair("EST", "2026-03-01", 1, 2, 160, 50));
    await expect(run("odm_daily", "--file", file, "--dry-run")).rejects.toThrow("1 id in origin_geo_id not in geographies: 1");
    await run("geographies", "--file", madeCsv(GEOGRAPHIES, "EST,admin_level_4,1,One,,25,59", "EST,admin_level_4,2,Two,,25,59"));
    expect((await run("odm_daily", "--file", file, "--dry-run")).at(-1)).toBe("The file is valid. Nothing was loaded (--dry-run)");
    expect(await rows('SELECT trips FROM intake.odm_daily WHERE loaded_on > "1970-01-01"')).toEqual([]);
    expect(await staged()).toEqual([]);
  });
});
