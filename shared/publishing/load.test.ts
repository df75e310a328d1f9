import { describe, expect, test } from "vitest";
import type { FactTable } from "./fact-table.ts";
import { loadedBatchesStatement, publishedBatchesStatement } from "./ledger.ts";
import { loadStatement } from "./load.ts";
import { unknownIdsStatement } from "./staged-ids.ts";
import type { Load, LoadedCountry } from "./staged-load.ts";

const column = (name: string) => ({ name, isGeography: false });
const EST: LoadedCountry = {
  code: "EST",
  k: 5,
  step: 20,
  peopleOfDevice: 4,
  finestType: "grid_1000m",
  isProtected: false,
  distance: "none",
};
const USA: LoadedCountry = {
  code: "USA",
  k: 7,
  step: 1,
  peopleOfDevice: 1,
  finestType: "admin_level_4",
  isProtected: true,
  distance: "centroids",
};
const PAIR = ["country_code", "batch_date", "origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id"];
const AREA = ["country_code", "time_bucket", "geo_type", "geo_id"];

const ODM: Load = {
  table: "odm_daily",
  staging: "staging.import_1",
  columns: [...PAIR, "trips", "devices"].map(column),
  key: PAIR,
  replaces: ["country_code", "batch_date"],
  countries: [EST],
  days: { first: "2026-03-01", last: "2026-03-03" },
  publication: {
    nesting: "pairs",
    values: [
      { column: "trips", rule: "additive" },
      { column: "general_distance_m", rule: "distance" },
    ],
  },
  checksum: "ab12",
};
const ROADS: Load = {
  table: "road_links",
  staging: "staging.import_2",
  columns: [...["country_code", "link_id", "name", "class"].map(column), { name: "geometry", isGeography: true }],
  key: ["country_code", "link_id"],
  replaces: ["country_code"],
  countries: [EST],
  days: undefined,
  publication: undefined,
  checksum: "ab12",
};
const GEOGRAPHIES: Load = { ...ROADS, table: "geographies", columns: ["country_code", "geo_type", "geo_id"].map(column) };
const PEOPLE: FactTable["publication"]["values"] = [{ column: "people", rule: "people" }];
const HOURS: Load = {
  ...ODM,
  table: "activities_hourly",
  key: AREA,
  publication: { nesting: "areas", values: PEOPLE, hours: { hourly: "activities_hourly", daily: "activities_daily" } },
  columns: [...AREA, "people", "devices", "batch_date"].map(column),
};
const DAYS: Load = { ...HOURS, table: "activities_daily" };
const FLOWS: Load = { ...HOURS, table: "flows_hourly", publication: { values: PEOPLE } };

/** The statements of a load's script, each by the table that it writes. */
function written(load: Load): string[] {
  return loadStatement(load)
    .sql.split(";\n\n")
    .map((one) => (/TRANSACTION$/.test(one) ? one : (one.split("`")[1] ?? one)));
}

const published = (table: string) => [
  ...[
    `staging.import_1_${table}_batches`,
    `staging.import_1_${table}`,
    `staging.import_1_${table}`,
    "mobility.batches",
    "mobility.batch_geo_types",
  ],
  ...[`mobility.${table}`, `mobility.${table}`],
];
const RAW = (table: string) => ["staging.import_1", "staging.import_1", `intake.${table}`, `intake.${table}`, "intake.batches"];

describe("the script of a load", () => {
  test.each([
    ["pairs", ODM],
    ["flows", FLOWS],
    ["days", DAYS],
  ])("of %s replaces raw rows and publishes them in one transaction", (_name, load) => {
    const [rows, batches] = [`staging.import_1_${load.table}`, `staging.import_1_${load.table}_batches`];
    expect(written(load)).toEqual([
      ...[batches, rows, "BEGIN TRANSACTION", ...RAW(load.table), ...published(load.table), "COMMIT TRANSACTION", rows, batches],
    ]);
  });

  test("of hours publishes their days too", () => {
    const [hours, days] = ["staging.import_1_activities_hourly", "staging.import_1_activities_daily"];
    expect(written(HOURS)).toEqual([
      ...[`${hours}_batches`, hours, `${days}_batches`, days, "BEGIN TRANSACTION"],
      ...[...RAW("activities_hourly"), ...published("activities_hourly"), ...published("activities_daily")],
      ...["COMMIT TRANSACTION", hours, `${hours}_batches`, days, `${days}_batches`],
    ]);
  });

  test("of a dimension replaces its rows, and of geographies their nesting too", () => {
    const script = (table: string) => ["BEGIN TRANSACTION", "staging.import_2", table, table, "intake.batches", "mobility.batches"];
    expect(written(ROADS)).toEqual([...script("mobility.road_links"), "COMMIT TRANSACTION"]);
    expect(written(GEOGRAPHIES)).toEqual([
      ...script("mobility.geographies"),
      ...["intake.nesting", "intake.nesting", "COMMIT TRANSACTION"],
    ]);
  });

  test.each([
    ["pairs", ODM],
    ["a dimension", ROADS],
    ["two countries", { ...ODM, countries: [EST, USA] }],
    ["hours", HOURS],
    ["days", DAYS],
    ["flows", FLOWS],
  ])("of %s uses exactly the parameters that it passes", (_name, load) => {
    const { sql, parameters } = loadStatement(load);
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });

  test.each([ODM, HOURS, DAYS, FLOWS])("passes all values as parameters: $table", (load) => {
    const { sql } = loadStatement({ ...load, countries: [{ ...EST, code: "'; DROP", k: 12345 }] });
    expect(sql.replace(/DROP TABLE `staging\.import_1_\w+`/g, "")).not.toMatch(/DROP|12345|ab12|2026-03/);
  });

  test.each([ODM, HOURS, DAYS, FLOWS])("reads intake by its partitions, and published days by theirs: $table", (load) => {
    const { sql } = loadStatement(load);
    for (const [, alias = ""] of sql.matchAll(/`intake\.(?:activities_\w+|odm_daily|flows_hourly)` (?:AS )?(\w+)\s+WHERE/g))
      expect(sql).toMatch(new RegExp(`WHERE ${alias}\\.loaded_on > "1970-01-01"`));
    for (const [, alias = ""] of sql.matchAll(/`mobility\.(?:activities_\w+|odm_daily|flows_hourly)` (?:AS )?(target|standing|gone)\b/g))
      expect(sql).toMatch(new RegExp(`${alias}\\.batch_date BETWEEN @first_date AND @last_date`));
  });

  test("converts WKT to GEOGRAPHY", () => {
    expect(loadStatement(ROADS).sql).toContain("ST_GEOGFROMTEXT(staged.geometry) AS geometry");
  });
});

describe("the newest entries of the ledgers", () => {
  test.each([
    ["loads", loadedBatchesStatement, "intake.batches"],
    ["what is published", publishedBatchesStatement, "mobility.batches"],
  ])("of %s are selected by day, of dimensions without", (_name, statementOf, ledger) => {
    const { sql, parameters } = statementOf(ODM);
    expect(sql).toContain(`FROM \`${ledger}\``);
    expect(sql).toContain("batch_date BETWEEN @first_date AND @last_date");
    expect(Object.keys(parameters).sort()).toEqual(["country_0", "first_date", "last_date", "table_name"]);
    expect(statementOf(ROADS).sql).toContain("batch_date IS NULL AND tick IS NULL");
  });
});

test("unknown ids are looked up under their own type", () => {
  const { sql } = unknownIdsStatement("staging.import_1", { id: "origin_geo_id", table: "geographies", geoType: "origin_geo_type" });
  expect(sql).toContain("known.geo_type = staged.origin_geo_type AND known.geo_id = staged.origin_geo_id");
});
