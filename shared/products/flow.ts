import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { CountryCode } from "../countries/request-fields.ts";
import { invalidFields } from "../http/errors.ts";
import { Instant, Timestamp, WholeNumber } from "../http/fields.ts";
import { defineProduct } from "./define-product.ts";
import type { ProductQuery } from "./product-query.ts";
import { ALIAS_ORDER, Format, Full, RowsOnly, STORED_FIELDS, WINDOW_ORDER, type WindowNames, windowOf } from "./request-fields.ts";
import { findRoadLink, PreviewLink, RoadLink } from "./road-link.ts";
import { nearestLinkStatement } from "./road-link-candidates.ts";
import { civilDaysOfHours, hourBounds, hourCount } from "./time-window.ts";

const LATITUDE = "must be a latitude: a number of degrees from -90 to 90";
const LONGITUDE = "must be a longitude: a number of degrees from -180 to 180";
const Latitude = v.pipe(v.number(LATITUDE), v.minValue(-90, LATITUDE), v.maxValue(90, LATITUDE));
const Longitude = v.pipe(v.number(LONGITUDE), v.minValue(-180, LONGITUDE), v.maxValue(180, LONGITUDE));
const decimal = (message: string, limit: number) =>
  v.pipe(
    v.string(message),
    v.metadata({ wire: { type: "number", minimum: -limit, maximum: limit } }),
    v.regex(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/, message),
    v.transform(Number),
  );

const alias = (name: string) => v.pipe(v.optional(Instant), v.metadata({ deprecated: true, description: `Deprecated alias of ${name}` }));

/** The fields that query and body share. Each end of the window also has a deprecated name. */
const Common = {
  agg_type: v.literal("flow"),
  country_code: v.optional(CountryCode),
  start_time: v.pipe(v.optional(Instant), v.description("Required unless its deprecated alias datetime_from is given")),
  end_time: v.pipe(v.optional(Instant), v.description("Optional if the country's rules say so; defaults to now")),
  datetime_from: alias("start_time"),
  datetime_to: alias("end_time"),
};

const End = v.optional(v.date());
const Window = v.object({ start_time: End, end_time: End, datetime_from: End, datetime_to: End });
type Window = v.InferOutput<typeof Window>;

/** Checks a window as soon as its own fields are valid, so that its errors are reported together with those of other fields. */
function windowCheck<T extends Window>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const parsed = v.safeParse(Window, dataset.value);
    if (!parsed.success) return;
    for (const [key, message] of windowErrors(parsed.output))
      addIssue({ message, path: [{ type: "object", origin: "value", input: { ...parsed.output }, key, value: parsed.output[key] }] });
  });
}

function* windowErrors({ start_time, end_time, datetime_from, datetime_to }: Window): Generator<[key: keyof Window, message: string]> {
  if (start_time && datetime_from) yield ["datetime_from", "is the deprecated alias of start_time: give one of the two"];
  if (end_time && datetime_to) yield ["datetime_to", "is the deprecated alias of end_time: give one of the two"];
  const [start, end] = [start_time ?? datetime_from, end_time ?? datetime_to];
  if (!start) yield ["start_time", "is required"];
  else if (end && start >= end) yield [datetime_to ? "datetime_to" : "end_time", start_time ? WINDOW_ORDER : ALIAS_ORDER];
}

/** Returns the window under its present names, and which names were used. `end_time` undefined means now. */
function withPresentNames<T extends Window>({ start_time, end_time, datetime_from, datetime_to, ...rest }: T) {
  const start = start_time ?? datetime_from;
  if (!start) throw new Error("A window without a start has passed its check");
  const windowNames: WindowNames = {
    start: start_time ? "start_time" : "datetime_from",
    end: end_time ? "end_time" : datetime_to && "datetime_to",
  };
  return { ...rest, start_time: start, end_time: end_time ?? datetime_to, deprecated: Boolean(datetime_from ?? datetime_to), windowNames };
}

const Query = v.pipe(
  v.strictObject({
    ...Common,
    lat: v.pipe(decimal(LATITUDE, 90), Latitude),
    lon: v.pipe(decimal(LONGITUDE, 180), Longitude),
    format: RowsOnly,
  }),
  windowCheck(),
  v.transform(withPresentNames),
  v.transform((query) => ({ ...query, full: false, format: "csv" as const })),
);

/** What a flow has one of each. Requests may say them, as those of other products do. */
const Measure = v.literal("people");
const Activity = v.literal("hourly");
const NAMES = { measure: v.optional(Measure), activity_type: v.optional(Activity) };

const Body = v.pipe(
  v.strictObject({
    ...Common,
    ...NAMES,
    lat: Latitude,
    lon: Longitude,
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  v.title("FlowRequest"),
  windowCheck(),
  v.transform(withPresentNames),
);

const Request = v.object({
  ...STORED_FIELDS,
  agg_type: v.literal("flow"),
  measure: Measure,
  activity_type: Activity,
  lat: v.number(),
  lon: v.number(),
  link: RoadLink,
});
export type FlowRequest = v.InferOutput<typeof Request>;

/**
 * One row of Flow: a link, an hour and a direction. A link without flows in the window has one row, whose last three fields are null. In a country
 * with the strict profile a row is of all links of the link's road class: its id is 0 and its direction null.
 */
export const FlowRow = v.pipe(
  v.strictObject({
    ...RoadLink.entries,
    time_bucket: v.nullable(Timestamp),
    direction: v.pipe(
      v.nullable(v.picklist([-1, 1])),
      v.description("-1 or 1: against or along the link; null if the country's profile is strict"),
    ),
    people: v.pipe(
      v.nullable(WholeNumber),
      v.description("On the link; if the country's profile is strict, on all links of its road class, and link_id is 0"),
    ),
  }),
  v.title("FlowRow"),
);

/** The placeholder for the link before the lookup. */
const ANY_LINK = { link_id: 0, link_name: "", link_type: "", distance_m: 0 };

/** Flow: people by hour and direction on the road link nearest to a coordinate. */
export const flow = defineProduct({
  name: "flow",
  dataset: "flows",
  offer: v.strictObject({ end_time_optional: v.optional(v.boolean(), false) }),
  geoTypes: () => [],
  body: Body,
  query: Query,
  preview: {
    forms: { rows: { lat: v.number(), lon: v.number(), link: PreviewLink, results: v.array(FlowRow) } },
    members: ({ request: { lat, lon }, found, summary }) => ({ lat, lon, ...found, results: summary.preview ?? [] }),
  },
  request: Request,
  asked: { measure: Measure, activity_type: Activity, lat: Latitude, lon: Longitude },
  row: FlowRow,
  storedRow: FlowRow,
  columns: { people: { type: "INT64", rule: "people" } },
  measures: ["people"],
  tables: [
    {
      name: "flows_hourly",
      bucket: "hour",
      key: ["country_code", "link_id", "time_bucket", "direction"],
      references: [{ id: "link_id", table: "road_links" }],
      byClass: { column: "road_class", id: "link_id", over: ["direction"], table: "road_links", from: "class" },
    },
  ],
  accept: ({ body: { start_time, end_time, windowNames, lat, lon, full, format }, code, offer, now }) => {
    if (!end_time && !offer.end_time_optional) throw invalidFields([{ pointer: "/end_time", detail: `is required for flow in ${code}` }]);
    if (!end_time && start_time >= now)
      throw invalidFields([{ pointer: `/${windowNames.start}`, detail: "must be before now, the default end_time" }]);
    const window = { start_time: start_time.toISOString(), end_time: (end_time ?? now).toISOString() };
    const names = { agg_type: "flow", measure: "people", activity_type: "hourly" } as const;
    return { country_code: code, ...window, full, format, ...names, lat, lon, link: ANY_LINK };
  },
  lookup: {
    statements: ({ country_code, lon, lat }) => [nearestLinkStatement(country_code, [lon, lat])],
    run: async (request, country, warehouse, labels) => {
      const { geometry, ...link } = await findRoadLink(request, country, warehouse, labels);
      return { request: { ...request, link }, found: { link: { link_id: link.link_id, link_name: link.link_name, geometry } } };
    },
  },
  statement: flowQuery,
  rowsMax: async (request) => 2 * hourCount(windowOf(request)),
  examples: {
    link: {
      request: {
        agg_type: "flow",
        country_code: "LAT",
        measure: "people",
        activity_type: "hourly",
        lat: 56.95,
        lon: 24.11,
        link: { link_id: 401001003, link_name: "Brīvības iela", link_type: "primary", distance_m: 12.5 },
        start_time: "2026-03-01T00:00:00.000Z",
        end_time: "2026-03-02T00:00:00.000Z",
        full: false,
        format: "csv",
      },
    },
  },
});

/**
 * Returns the query of one row per hour and direction of the request's link in the window. A window without a published row has one row with
 * nulls instead, to distinguish it from a link that was not found. In strict countries the rows are of the link's class.
 */
function flowQuery(request: FlowRequest, { timeZone, isStrict }: CountryRules): ProductQuery {
  const window = windowOf(request);
  const link = isStrict ? { ...request.link, link_id: 0, link_name: `All roads of class ${request.link.link_type}` } : request.link;
  const { first, last } = civilDaysOfHours(window, timeZone);
  const hours = hourBounds(window);
  return {
    table: "flows_hourly",
    row: FlowRow,
    ctes: `flows AS (
  SELECT link_id, time_bucket, ${isStrict ? "NULLIF(direction, 0) AS direction" : "direction"}, people
  FROM \`mobility.flows_hourly\`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND link_id = @link_id${isStrict ? " AND road_class = @link_type" : ""}
    AND time_bucket > @after AND time_bucket < @before
),
result_rows AS (
  SELECT
    link.link_id, @link_name AS link_name, @link_type AS link_type, @distance_m AS distance_m,
    flows.time_bucket, flows.direction, flows.people
  FROM (SELECT @link_id AS link_id) AS link
  LEFT JOIN flows ON flows.link_id = link.link_id
)`,
    columns: [
      { name: "link_id", type: "INT64" },
      { name: "link_name", type: "STRING" },
      { name: "link_type", type: "STRING" },
      { name: "distance_m", type: "FLOAT64" },
      { name: "time_bucket", type: "TIMESTAMP" },
      { name: "direction", type: "INT64" },
      { name: "people", type: "INT64" },
    ],
    order: ["time_bucket", "direction"],
    emptyWithout: "time_bucket",
    ids: [],
    parameters: {
      country_code: { type: "STRING", value: request.country_code },
      link_id: { type: "INT64", value: link.link_id },
      link_name: { type: "STRING", value: link.link_name },
      link_type: { type: "STRING", value: link.link_type },
      distance_m: { type: "FLOAT64", value: link.distance_m },
      first_date: { type: "DATE", value: first },
      last_date: { type: "DATE", value: last },
      after: { type: "TIMESTAMP", value: hours.after.toISOString() },
      before: { type: "TIMESTAMP", value: hours.before.toISOString() },
    },
  };
}
