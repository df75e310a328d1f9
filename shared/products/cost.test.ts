import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET, LOCATION } from "../../infra/testing/engines/warehouse-under-test.ts";
import { FIRST_DAY, GEO_NAME, LAST_DAY, LEDGER_TABLE, startYearOfData, type YearOfData } from "../../infra/testing/year-of-data.ts";
import type { CountryRules } from "../countries/country-rules.ts";
import { clientQuery } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import type { ActivitiesRequest } from "./activities.ts";
import type { FlowRequest } from "./flow.ts";
import type { OdmRequest } from "./odm.ts";
import {
  dataVersionsStatement,
  exportStatement,
  type ProductQuery,
  previewStatement,
  rowsStatement,
  summaryStatement,
} from "./product-query.ts";
import { queryOf } from "./testing/query-of.ts";

const RULES: CountryRules = {
  name: "Estonia",
  aliases: [],
  timeZone: "Europe/Tallinn",
  k: 5,
  peopleOfDevice: 4,
  windowDaysMax: 400,
  isProtected: false,
  isStrict: false,
  grid: undefined,
  offers: {
    activities: { geo_types: ["admin_level_2"] },
    odm: { geo_types: ["admin_level_2"], mixed: false, distance: "centroids", speed: true },
    flow: { end_time_optional: true },
  },
};
/** One civil day of Tallinn, a UTC day that overlaps two civil days, and the year. */
const ONE_DAY = { first: "2026-03-01", last: "2026-03-01", start_time: "2026-02-28T22:00:00.000Z", end_time: "2026-03-01T22:00:00.000Z" };
const UTC_DAY = { first: "2026-03-01", last: "2026-03-02", start_time: "2026-03-01T00:00:00.000Z", end_time: "2026-03-02T00:00:00.000Z" };
const YEAR = { first: FIRST_DAY, last: LAST_DAY, start_time: "2025-05-31T21:00:00.000Z", end_time: "2026-05-31T21:00:00.000Z" };

/**
 * Bytes of a value: numbers, dates and times 8, booleans 1, texts 2 plus their length. Source:
 * https://cloud.google.com/bigquery/pricing#data
 */
const [DATE, TIME, NUMBER, BOOLEAN] = [8, 8, 8, 1];
const text = (value: string): number => 2 + value.length;
const COUNTRY = text("EST");
const TYPE = text("admin_level_2");
const LEDGER = COUNTRY + text(LEDGER_TABLE) + DATE + NUMBER + BOOLEAN;

interface Product {
  readonly name: string;
  readonly table: string;
  readonly request: ActivitiesRequest | OdmRequest | FlowRequest;
  /** Bytes of a row: the columns that select, join and count rows (`chosen`), and those that are only returned (`shown`). */
  readonly chosen: number;
  readonly shown: number;
  readonly namesGeographies: boolean;
}

const COMMON = { country_code: "EST", start_time: "", end_time: "", full: false, format: "csv" } as const;
const ACTIVITIES = { ...COMMON, agg_type: "activities", geo_type: "admin_level_2" } as const;
const ODM = {
  ...COMMON,
  agg_type: "odm",
  measure: "trips",
  origin_geo_type: "admin_level_2",
  destination_geo_type: "admin_level_2",
} as const;
const LINK = { link_id: 1, link_name: "Narva maantee", link_type: "primary", distance_m: 5 };

const PRODUCTS: readonly Product[] = [
  {
    name: "hourly Activities",
    table: "activities_hourly",
    request: { ...ACTIVITIES, geo_ids: [1, 2], activity_type: "hourly", measure: "stays_count" },
    chosen: DATE + COUNTRY + TYPE + NUMBER + TIME,
    shown: NUMBER,
    namesGeographies: true,
  },
  {
    name: "daily Activities",
    table: "activities_daily",
    request: { ...ACTIVITIES, geo_ids: null, activity_type: "daily", measure: "sum_unique_people" },
    chosen: DATE + COUNTRY + TYPE + NUMBER,
    shown: NUMBER + TIME,
    namesGeographies: true,
  },
  {
    name: "daily Activities over hours",
    table: "activities_hourly",
    request: { ...ACTIVITIES, geo_ids: null, activity_type: "daily", measure: "max_unique_people" },
    chosen: DATE + COUNTRY + TYPE + NUMBER,
    shown: NUMBER,
    namesGeographies: true,
  },
  {
    name: "the Origin-Destination Matrix",
    table: "odm_daily",
    request: { ...ODM, activity_type: "daily", origin_geo_ids: null, destination_geo_ids: null },
    chosen: DATE + COUNTRY + 2 * TYPE,
    shown: 2 * NUMBER + 3 * NUMBER,
    namesGeographies: false,
  },
  {
    name: "Flow",
    table: "flows_hourly",
    request: { ...COMMON, agg_type: "flow", activity_type: "hourly", measure: "people", lat: 59.4, lon: 24.7, link: LINK },
    chosen: DATE + COUNTRY + NUMBER + TIME,
    shown: 2 * NUMBER,
    namesGeographies: false,
  },
];

/** The statements of a query, with whether they read facts, return rows and read the ledger. */
const KINDS: readonly { kind: string; make: (query: ProductQuery) => Statement; facts: boolean; shows: boolean; ledger: boolean }[] = [
  { kind: "preview", make: (query) => summaryStatement(query, "first"), facts: true, shows: true, ledger: true },
  { kind: "synchronous preview", make: (query) => previewStatement(query), facts: true, shows: true, ledger: true },
  { kind: "summary", make: (query) => summaryStatement(query, "none"), facts: true, shows: false, ledger: true },
  {
    kind: "export",
    make: (query) => exportStatement(query, [], { format: "csv", bucket: BUCKET, prefix: "results/a/part-" }),
    facts: true,
    shows: true,
    ledger: true,
  },
  { kind: "estimate of an export", make: (query) => rowsStatement(query, []), facts: true, shows: true, ledger: true },
  { kind: "query of the versions", make: dataVersionsStatement, facts: false, shows: false, ledger: true },
];

const Statistics = v.object({ statistics: v.object({ totalBytesProcessed: v.pipe(v.string(), v.transform(Number)) }) });

let warehouse: YearOfData;

beforeAll(async () => {
  warehouse = await startYearOfData();
});

afterAll(() => warehouse.close());

async function dryRun(statement: Statement): Promise<number> {
  const [{ metadata }] = await warehouse.client.createQueryJob({ ...clientQuery(statement), location: LOCATION, dryRun: true });
  return v.parse(Statistics, metadata).statistics.totalBytesProcessed;
}

async function run(statement: Statement): Promise<number> {
  const [job] = await warehouse.client.createQueryJob({ ...clientQuery(statement), location: LOCATION });
  await job.getQueryResults();
  return v.parse(Statistics, (await job.getMetadata())[0]).statistics.totalBytesProcessed;
}

describe.each(PRODUCTS)("of $name", ({ table, request, chosen, shown, namesGeographies }) => {
  const queryIn = ({ start_time, end_time }: typeof ONE_DAY) => queryOf({ ...request, start_time, end_time }, { EST: RULES });

  it.each(KINDS)("a $kind of one day reads only that day, and only the columns that it needs", async ({ make, facts, shows, ledger }) => {
    const [day, year] = [await warehouse.count(table, ONE_DAY), await warehouse.count(table, YEAR)];
    const row = facts ? chosen + (shows ? shown : 0) : 0;
    const geography = facts && namesGeographies ? COUNTRY + TYPE + NUMBER + (shows ? text(GEO_NAME) : 0) : 0;
    const others = (await warehouse.count("geographies")) * geography + (await warehouse.count("batches")) * (ledger ? LEDGER : 0);
    const bytes = await dryRun(make(queryIn(ONE_DAY)));
    expect(bytes).toBe(day * row + others);
    expect(await run(make(queryIn(ONE_DAY)))).toBe(bytes);
    expect(await dryRun(make(queryIn(UTC_DAY)))).toBe((await warehouse.count(table, UTC_DAY)) * row + others);
    expect(await dryRun(make(queryIn(YEAR)))).toBe(year * row + others);
    expect(day).toBeGreaterThan(0);
    expect(100 * day).toBeLessThan(year);
  });

  it("the warehouse rejects a query without dates", async () => {
    const rows = rowsStatement(queryIn(ONE_DAY), []);
    const undated = rows.sql.replace(/batch_date BETWEEN @first_date AND @last_date\s+AND /, "");
    expect(undated).not.toBe(rows.sql);
    await expect(dryRun({ ...rows, sql: undated })).rejects.toThrow(/without a filter over column\(s\) 'batch_date'/);
  });
});
