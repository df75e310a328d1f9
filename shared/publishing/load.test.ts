import { describe, expect, test } from "vitest";
import { recomputeDaysStatement } from "./days-from-hours.ts";
import { ledgerStatement, loadStatement, unknownIdsStatement } from "./load.ts";
import type { Load } from "./staged-load.ts";

const column = (name: string) => ({ name, isGeography: false });
const EST = { code: "EST", k: 5, distance: "none" } as const;
const USA = { code: "USA", k: 7, distance: "centroids" } as const;

const ODM: Load = {
  table: "odm_daily",
  staging: "staging.import_1",
  columns: [
    "country_code",
    "batch_date",
    "origin_geo_type",
    "origin_geo_id",
    "destination_geo_type",
    "destination_geo_id",
    "trips",
    "devices",
  ].map(column),
  replaces: ["country_code", "batch_date"],
  countries: [EST],
  days: { first: "2026-03-01", last: "2026-03-03" },
  publication: { nesting: "pairs", additive: ["trips"], distanceColumn: "general_distance_m" },
  levels: [],
  checksum: "ab12",
};
const ROADS: Load = {
  table: "road_links",
  staging: "staging.import_2",
  columns: [...["country_code", "link_id", "name", "class"].map(column), { name: "geometry", isGeography: true }],
  replaces: ["country_code"],
  countries: [EST],
  days: undefined,
  publication: undefined,
  levels: [],
  checksum: "ab12",
};
const DAYS_FROM_HOURS = { hourly: "activities_hourly", daily: "activities_daily", columns: ["stays_dwell_minutes"] };
const ACTIVITIES: Load = {
  ...ODM,
  table: "activities_hourly",
  publication: { nesting: "areas", additive: ["stays_dwell_minutes"], daysFromHours: DAYS_FROM_HOURS },
  columns: ["country_code", "geo_type", "geo_id", "time_bucket", "people", "stays_dwell_minutes", "devices", "batch_date"].map(column),
  levels: ["grid_1000m", "admin_level_4"],
};
const DAYS: Load = { ...ACTIVITIES, table: "activities_daily" };
const PAIRS: Load = { ...ODM, levels: ["grid_1000m", "admin_level_4"] };

function statementsOf(load: Load): string[] {
  return loadStatement(load)
    .sql.split(";")
    .map((statement) => statement.trim());
}

describe("the script of a load", () => {
  test.each([
    ["facts", ODM],
    ["a dimension", ROADS],
    ["days of several levels", DAYS],
    ["days of one level", { ...DAYS, levels: [] }],
    ["pairs of several levels", PAIRS],
  ])("of %s is one transaction that ends with the ledger", (_name, load) => {
    const statements = statementsOf(load);
    expect(statements[0]).toBe("BEGIN TRANSACTION");
    expect(statements.at(-1)).toBe("COMMIT TRANSACTION");
    expect(statements.slice(1, -1).map((statement) => statement.split("`")[1])).toEqual([
      load.staging,
      `mobility.${load.table}`,
      `mobility.${load.table}`,
      "mobility.batches",
    ]);
  });

  test.each([
    ["facts", ODM],
    ["a dimension", ROADS],
    ["two countries", { ...ODM, countries: [EST, USA] }],
    ["hours of several levels", ACTIVITIES],
    ["days of several levels", DAYS],
    ["pairs of several levels", PAIRS],
  ])("of %s uses exactly the parameters that it passes", (_name, load) => {
    const { sql, parameters } = loadStatement(load);
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });

  test("of hours ends with the days recomputed from them, and their ledger", () => {
    expect(
      statementsOf(ACTIVITIES)
        .slice(4, -1)
        .map((statement) => statement.split("`")[1]),
    ).toEqual(["mobility.batches", "mobility.activities_daily", "mobility.batches"]);
  });

  test.each([ODM, PAIRS, ACTIVITIES, DAYS])("passes all values as parameters: $table, $levels", (load) => {
    const { sql } = loadStatement({ ...load, countries: [{ ...EST, code: "'; DROP", k: 12345 }] });
    expect(sql).not.toMatch(/DROP|12345|ab12|2026-03/);
  });

  test("prunes the partitions of facts by constant days in every read and delete", () => {
    const touching = statementsOf(PAIRS).filter(
      (statement) => /(FROM|AS target|target)\s/.test(statement) && /FROM `mobility\.odm_daily`/.test(statement),
    );
    expect(touching).toHaveLength(2);
    for (const statement of touching) expect(statement).toContain("target.batch_date BETWEEN @first_date AND @last_date");
  });

  test("prunes hours and days by constant days when it computes days from hours", () => {
    const { sql } = recomputeDaysStatement(ACTIVITIES, DAYS_FROM_HOURS);
    expect(sql).toContain("ON target.batch_date BETWEEN @first_date AND @last_date AND target.country_code = recomputed.country_code");
    expect(sql).toContain("FROM `mobility.activities_daily` AS target\n    WHERE target.batch_date BETWEEN @first_date AND @last_date");
    expect(sql).toContain(
      "FROM `mobility.activities_hourly`\n    WHERE country_code IN (@country_0) AND batch_date BETWEEN @first_date AND @last_date",
    );
  });

  test("deletes only rows of staged batches", () => {
    const [, , removal] = statementsOf({ ...ODM, countries: [EST, USA] });
    expect(removal).toContain("target.country_code IN (@country_0, @country_1)");
    expect(removal).toContain(
      "EXISTS (SELECT 1 FROM `staging.import_1` AS staged WHERE staged.country_code = target.country_code AND staged.batch_date = target.batch_date)",
    );
  });

  test("compares devices with the k of the row's country", () => {
    const { sql, parameters } = loadStatement({ ...ODM, countries: [EST, USA] });
    expect(sql).toContain(
      "staged.devices >= CASE staged.country_code WHEN @country_0 THEN @k_0 WHEN @country_1 THEN @k_1 END AS publishable",
    );
    expect(parameters).toMatchObject({ country_1: { type: "STRING", value: "USA" }, k_1: { type: "INT64", value: 7 } });
  });

  test("converts WKT to GEOGRAPHY", () => {
    expect(loadStatement(ROADS).sql).toContain("ST_GEOGFROMTEXT(staged.geometry) AS geometry");
  });

  test("does not decide on rows of dimensions", () => {
    expect(statementsOf(ROADS)[3]).not.toContain("publishable");
  });
});

describe("distances of pairs", () => {
  const between = "ST_DISTANCE(ST_GEOGPOINT(origin.lon, origin.lat), ST_GEOGPOINT(destination.lon, destination.lat))";

  test("are not computed if the country models none", () => {
    expect(loadStatement(ODM).sql).not.toContain("ST_DISTANCE");
  });

  test("are computed from the centroids if the rule says so", () => {
    const { sql } = loadStatement({ ...ODM, countries: [USA] });
    expect(sql).toContain("trips, devices, general_distance_m, publishable)");
    expect(sql).toContain(`${between} AS general_distance_m`);
  });

  test("are never those that were staged", () => {
    const { sql } = loadStatement({ ...ODM, countries: [USA], columns: [...ODM.columns, column("general_distance_m")] });
    expect(sql).toContain("trips, devices, general_distance_m, publishable)");
    expect(sql).not.toContain("staged.general_distance_m");
  });

  test("are filled in only for countries with the rule", () => {
    expect(loadStatement({ ...ODM, countries: [EST, USA] }).sql).toContain(`IF(staged.country_code IN (@country_1), ${between}, NULL)`);
  });
});

describe("the ledger's newest entries", () => {
  test("of facts are selected by day", () => {
    const { sql, parameters } = ledgerStatement(ODM);
    expect(sql).toContain("batch_date BETWEEN @first_date AND @last_date");
    expect(Object.keys(parameters).sort()).toEqual(["country_0", "first_date", "last_date", "table_name"]);
  });

  test("of dimensions have no day", () => {
    expect(ledgerStatement(ROADS).sql).toContain("batch_date IS NULL AND tick IS NULL");
  });
});

test("unknown ids are looked up under their own type", () => {
  const { sql } = unknownIdsStatement("staging.import_1", { id: "origin_geo_id", table: "geographies", geoType: "origin_geo_type" });
  expect(sql).toContain("known.geo_type = staged.origin_geo_type AND known.geo_id = staged.origin_geo_id");
});
