import * as v from "valibot";
import { type CountryRules, GEO_TYPES } from "../countries/country-rules.ts";
import { AskedIds, BboxText, CountryCode, GeoIds, GeoIdsQuery, GeoTypeName } from "../countries/request-fields.ts";
import { requireNotSwapped } from "../countries/swapped-box.ts";
import type { Bbox } from "../geometry/bbox.ts";
import type { Parameters } from "../google/statement.ts";
import { Instant, Timestamp, WholeNumber } from "../http/fields.ts";
import { ACTIVITIES_COLUMNS, activitiesColumns } from "./activities-columns.ts";
import { columnValue, type Measure, type ValueColumn } from "./columns.ts";
import { defineProduct } from "./define-product.ts";
import { geographiesInBox, geographiesInBoxStatement } from "./geographies-in-box.ts";
import { requireOffered, typesWithHours } from "./offered.ts";
import type { ProductQuery } from "./product-query.ts";
import { ActivityType, exactlyOneOf, Format, Full, STORED_FIELDS, startsBeforeEnd, WINDOW_ORDER, windowOf } from "./request-fields.ts";
import { civilDayCount, civilDays, civilDaysOfHours, hourBounds, hourCount } from "./time-window.ts";

const COLUMNS = {
  people: { type: "INT64", rule: "people" },
  stays_count: { type: "INT64", rule: "events", of: "stays_devices" },
  stays_dwell_minutes: { type: "INT64", rule: "minutes", of: "stays_devices", addsOverHours: true },
  stays_devices: { type: "INT64", rule: "devices" },
} as const satisfies Readonly<Record<string, ValueColumn>>;

/** The measures. An hour's sum, average and maximum of people are the same number. */
const MEASURES: Readonly<Record<string, Measure<keyof typeof COLUMNS>>> = {
  sum_unique_people: { column: "people" },
  avg_unique_people: { column: "people", overHours: "average" },
  max_unique_people: { column: "people", overHours: "maximum" },
  stays_count: { column: "stays_count" },
  stays_dwell_minutes: { column: "stays_dwell_minutes" },
  stays_devices: { column: "stays_devices" },
};

const MeasureName = v.pipe(v.picklist(Object.keys(MEASURES)), v.title("ActivitiesMeasure"));

const Common = {
  agg_type: v.literal("activities"),
  country_code: v.optional(CountryCode),
  measure: MeasureName,
  activity_type: ActivityType,
  geo_type: GeoTypeName,
  start_time: Instant,
  end_time: Instant,
};

const Query = v.pipe(
  v.strictObject({
    ...Common,
    geo_ids: v.optional(GeoIdsQuery),
    bbox: v.optional(BboxText),
    format: v.pipe(
      v.optional(v.picklist(["rows", "columns"]), "rows"),
      v.description("rows: one object per value. columns: lists of values by time bucket, much smaller, of activities only"),
    ),
  }),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
  exactlyOneOf(["geo_ids", "bbox"], "is required, unless bbox is given", "must be left out if geo_ids is given"),
  v.transform(({ format, ...query }) => ({ ...query, isByColumn: format === "columns", full: false, format: "csv" as const })),
);

/** What only the query of a preview can have. */
const NOT_IN_JOBS: { readonly bbox?: Bbox | undefined; readonly isByColumn?: boolean } = {};

const Body = v.pipe(
  v.strictObject({
    ...Common,
    geo_ids: v.optional(GeoIds),
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  v.title("ActivitiesRequest"),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
  v.transform((body) => ({ ...body, ...NOT_IN_JOBS })),
);

const Request = v.object({
  ...STORED_FIELDS,
  agg_type: v.literal("activities"),
  measure: MeasureName,
  geo_type: GeoTypeName,
  geo_ids: v.nullable(v.array(v.number())),
  // Previews, which are not stored, can have these. A box becomes ids when it is looked up.
  bbox: v.optional(v.pipe(v.strictTuple([v.number(), v.number(), v.number(), v.number()]), v.readonly())),
  isByColumn: v.optional(v.boolean()),
});
export type ActivitiesRequest = v.InferOutput<typeof Request>;

/** One row of Activities. The measure's name is the name of its field. */
export const ActivitiesRow = v.pipe(
  v.strictObject({
    time_bucket: Timestamp,
    geo_id: WholeNumber,
    geo_name: v.string(),
    type: ActivityType,
    ...measureFields(),
  }),
  v.title("ActivitiesRow"),
);

/** The fields of a row that the measures name. A row has one of them. */
function measureFields() {
  return Object.fromEntries(
    Object.entries(MEASURES).map(([name, { overHours }]) => [name, v.optional(overHours === "average" ? v.number() : WholeNumber)]),
  );
}

const KEY = ["country_code", "geo_type", "geo_id", "time_bucket"];
const GEOGRAPHY = { id: "geo_id", table: "geographies", geoType: "geo_type" } as const;

const EXAMPLE: ActivitiesRequest = {
  agg_type: "activities",
  country_code: "LAT",
  measure: "sum_unique_people",
  activity_type: "hourly",
  geo_type: "grid_250m",
  geo_ids: null,
  start_time: "2026-03-01T00:00:00.000Z",
  end_time: "2026-03-02T00:00:00.000Z",
  full: false,
  format: "csv",
};

/** Activities: people and stays by geography and hour or day. */
export const activities = defineProduct({
  name: "activities",
  dataset: "activities",
  offer: v.strictObject({ geo_types: v.pipe(v.array(v.picklist(GEO_TYPES)), v.minLength(1)) }),
  geoTypes: ({ geo_types }) => geo_types,
  activityTypes: ActivityType.pipe[0].options,
  body: Body,
  query: Query,
  preview: {
    forms: { columns: ACTIVITIES_COLUMNS, rows: { results: v.array(ActivitiesRow) } },
    members: ({ request, country, summary }) =>
      request.isByColumn ? activitiesColumns(request, summary, country.timeZone) : { results: summary.preview ?? [] },
  },
  request: Request,
  asked: { measure: MeasureName, geo_type: GeoTypeName, geo_ids: AskedIds },
  row: ActivitiesRow,
  storedRow: ActivitiesRow,
  columns: COLUMNS,
  measures: Object.keys(MEASURES),
  tables: [
    { name: "activities_daily", bucket: "day", key: KEY, references: [GEOGRAPHY], nesting: "areas" },
    { name: "activities_hourly", bucket: "hour", key: KEY, references: [GEOGRAPHY], nesting: "areas" },
  ],
  accept: ({ body, code, country, offer }) => {
    const { start_time, end_time, geo_ids = null, bbox, ...rest } = body;
    requireOffered([{ pointer: "/geo_type", given: body.geo_type, allowed: offer.geo_types }], `for activities in ${code}`);
    if (body.activity_type === "hourly" || MEASURES[body.measure]?.overHours !== undefined) {
      const allowed = typesWithHours(offer.geo_types, country);
      requireOffered([{ pointer: "/geo_type", given: body.geo_type, allowed }], `for hours of activities in ${code}`);
    }
    if (bbox) requireNotSwapped(bbox, code, country);
    return {
      ...rest,
      ...(bbox ? { bbox } : {}),
      country_code: code,
      geo_ids,
      start_time: start_time.toISOString(),
      end_time: end_time.toISOString(),
    };
  },
  lookup: {
    statements: ({ country_code, geo_type, bbox }) => (bbox ? [geographiesInBoxStatement(country_code, geo_type, bbox)] : []),
    run: async ({ bbox, ...request }, _country, warehouse, labels) => ({
      request: bbox ? { ...request, geo_ids: await geographiesInBox({ ...request, bbox }, warehouse, labels) } : request,
    }),
  },
  statement: activitiesQuery,
  rowsMax: async (request, { timeZone }, count) => {
    const geographies = request.geo_ids?.length ?? (await count(request.country_code, request.geo_type));
    const window = windowOf(request);
    return geographies * (request.activity_type === "hourly" ? hourCount(window) : civilDayCount(window, timeZone));
  },
  examples: {
    hourly: { request: EXAMPLE },
    daily: { request: { ...EXAMPLE, activity_type: "daily" } },
    "hourly-some-geographies": { request: { ...EXAMPLE, geo_ids: [51440004116000, 51440004116250] } },
    "daily-avg-over-hours": { request: { ...EXAMPLE, activity_type: "daily", measure: "avg_unique_people" } },
  },
});

/** Returns the query of one row per geography and bucket that overlaps the window. */
function activitiesQuery(request: ActivitiesRequest, { timeZone }: CountryRules): ProductQuery {
  const window = windowOf(request);
  const isHourly = request.activity_type === "hourly";
  const { first, last } = (isHourly ? civilDaysOfHours : civilDays)(window, timeZone);
  const hours = hourBounds(window);
  const parameters: Parameters = {
    country_code: { type: "STRING", value: request.country_code },
    geo_type: { type: "STRING", value: request.geo_type },
    ...(request.geo_ids ? { geo_ids: { type: "ARRAY<INT64>", value: request.geo_ids } } : {}),
    first_date: { type: "DATE", value: first },
    last_date: { type: "DATE", value: last },
    after: { type: "TIMESTAMP", value: hours.after.toISOString() },
    before: { type: "TIMESTAMP", value: hours.before.toISOString() },
    time_zone: { type: "STRING", value: timeZone },
    activity_type: { type: "STRING", value: request.activity_type },
  };
  const measure = MEASURES[request.measure];
  if (!measure) throw new Error(`${request.measure} was accepted but is not a measure of Activities`);
  const { column, overHours } = measure;
  const value = columnValue(column, COLUMNS[column]);
  const isOverHours = !isHourly && overHours !== undefined;
  const table = isHourly || isOverHours ? "activities_hourly" : "activities_daily";
  const where = `batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type${request.geo_ids ? "\n    AND geo_id IN UNNEST(@geo_ids)" : ""}`;
  const matched = isOverHours
    ? `SELECT TIMESTAMP(batch_date, @time_zone) AS time_bucket, geo_id, ${OVER_HOURS[overHours](value)} AS value
  FROM \`mobility.${table}\`
  WHERE ${where}
  GROUP BY batch_date, geo_id`
    : `SELECT time_bucket, geo_id, ${value} AS value
  FROM \`mobility.${table}\`
  WHERE ${where}${isHourly ? "\n    AND time_bucket > @after AND time_bucket < @before" : ""}`;
  return {
    table,
    row: ActivitiesRow,
    ctes: `matched AS (
  ${matched}
),
result_rows AS (
  SELECT
    matched.value AS ${request.measure}, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type
  FROM matched
  LEFT JOIN \`mobility.geographies\` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)`,
    columns: [
      { name: request.measure, type: isOverHours && overHours === "average" ? "FLOAT64" : COLUMNS[column].type },
      { name: "time_bucket", type: "TIMESTAMP" },
      { name: "geo_id", type: "INT64" },
      { name: "geo_name", type: "STRING" },
      { name: "type", type: "STRING" },
    ],
    order: ["time_bucket", "geo_id"],
    ids: request.geo_ids ? [{ parameter: "geo_ids", typeParameter: "geo_type", column: "geo_id" }] : [],
    parameters,
  };
}

/** GoogleSQL expressions of a day's value over its hours. The average is of integers, half up: engines round binary fractions differently. */
const OVER_HOURS = {
  average: (value: string) => `DIV(20 * SUM(${value}) + COUNT(*), 2 * COUNT(*)) / 10`,
  maximum: (value: string) => `MAX(${value})`,
};
