import * as v from "valibot";
import { type CountryRules, DISTANCE_RULES, GEO_TYPES } from "../countries/country-rules.ts";
import { AskedIds, CountryCode, GeoIdQuery, GeoIds, GeoTypeName } from "../countries/request-fields.ts";
import { invalidFields } from "../http/errors.ts";
import { Instant, WholeNumber } from "../http/fields.ts";
import { defineProduct } from "./define-product.ts";
import { FolderMeasure } from "./export-folder.ts";
import { requireOffered } from "./offered.ts";
import type { Column, ProductQuery } from "./product-query.ts";
import {
  ActivityType,
  exactlyOneOf,
  Format,
  Full,
  RowsOnly,
  STORED_FIELDS,
  startsBeforeEnd,
  WINDOW_ORDER,
  windowOf,
} from "./request-fields.ts";
import { civilDayCount, civilDays } from "./time-window.ts";

const Types = { origin_geo_type: GeoTypeName, destination_geo_type: GeoTypeName };
const Common = {
  agg_type: v.literal("odm"),
  country_code: v.optional(CountryCode),
  activity_type: v.optional(ActivityType, "daily"),
  ...Types,
  start_time: Instant,
  end_time: Instant,
};

/** The query of a preview: the pairs of one geography, since a day's matrix has millions. */
const Query = v.pipe(
  v.strictObject({
    ...Common,
    measure: v.optional(FolderMeasure, "trips"),
    origin_geo_ids: v.optional(GeoIdQuery),
    destination_geo_ids: v.optional(GeoIdQuery),
    format: RowsOnly,
  }),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
  exactlyOneOf(
    ["origin_geo_ids", "destination_geo_ids"],
    "is required, unless destination_geo_ids is given: a preview shows the pairs of one geography; POST /data-agg has the whole matrix",
    "must be left out if origin_geo_ids is given: a preview shows all pairs of one geography; POST /data-agg takes both sides",
  ),
  v.transform((query) => ({ ...query, full: false, format: "csv" as const })),
);

const Body = v.pipe(
  v.strictObject({
    ...Common,
    measure: FolderMeasure,
    origin_geo_ids: v.optional(GeoIds),
    destination_geo_ids: v.optional(GeoIds),
    full: v.optional(Full, false),
    format: v.optional(Format, "csv"),
  }),
  v.title("OdmRequest"),
  v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
);

const Request = v.object({
  ...STORED_FIELDS,
  agg_type: v.literal("odm"),
  measure: v.string(),
  ...Types,
  origin_geo_ids: v.nullable(v.array(v.number())),
  destination_geo_ids: v.nullable(v.array(v.number())),
});
export type OdmRequest = v.InferOutput<typeof Request>;

/** One row of the matrix: a pair and a day. Distance and speed are absent if unknown. */
export const OdmRow = v.pipe(
  v.strictObject({
    batch_date: v.pipe(v.string(), v.isoDate()),
    origin_geo_id: WholeNumber,
    destination_geo_id: WholeNumber,
    General_Distance: v.optional(v.pipe(v.number(), v.description("Straight line between the two centroids, metres"))),
    Average_Speed: v.optional(v.pipe(v.number(), v.description("Mean, km/h; of the finest pairs whole, of osm_links beside areas absent"))),
    trips: WholeNumber,
  }),
  v.title("OdmRow"),
);

/** A row as the warehouse returns it and a job stores it. Unknown values are null here and absent in a response. */
const StoredRow = v.pipe(
  v.strictObject({
    ...OdmRow.entries,
    General_Distance: v.optional(v.nullable(v.number())),
    Average_Speed: v.optional(v.nullable(v.number())),
  }),
  v.transform(({ General_Distance: distance, Average_Speed: speed, trips, ...pair }) => ({
    ...pair,
    ...(distance == null ? {} : { General_Distance: distance }),
    ...(speed == null ? {} : { Average_Speed: speed }),
    trips,
  })),
);

const Offer = v.strictObject({
  geo_types: v.pipe(v.array(v.picklist(GEO_TYPES)), v.minLength(1)),
  /** Whether origin and destination may be of different types. */
  mixed: v.optional(v.boolean(), false),
  distance: v.optional(v.picklist(DISTANCE_RULES), "none"),
  speed: v.optional(v.boolean(), false),
  /** Set if told pairs have their exact trips. The provider then does not correct them: the difference of two versions is exact as well. */
  step: v.optional(v.literal(1, "must be 1, for exact trips; leave it out for the country's step")),
});
type Offer = v.InferOutput<typeof Offer>;

/** The rows of a preview, at most. */
const PREVIEW_ROWS_MAX = 5000;

const EXAMPLE: OdmRequest = {
  agg_type: "odm",
  country_code: "LAT",
  measure: "trips",
  activity_type: "daily",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "admin_level_4",
  origin_geo_ids: [51440004116000],
  destination_geo_ids: [3201],
  start_time: "2026-03-01T00:00:00.000Z",
  end_time: "2026-03-02T00:00:00.000Z",
  full: false,
  format: "csv",
};

/** The Origin-Destination Matrix: trips by pair of geographies and day. */
export const odm = defineProduct({
  name: "odm",
  dataset: "odm",
  offer: Offer,
  geoTypes: ({ geo_types }) => geo_types,
  activityTypes: ActivityType.pipe[0].options,
  mixed: ({ mixed }) => mixed,
  distance: ({ distance }) => distance,
  step: ({ step }) => step,
  body: Body,
  query: Query,
  preview: { span: "civil day" },
  request: Request,
  asked: { measure: FolderMeasure, ...Types, origin_geo_ids: AskedIds, destination_geo_ids: AskedIds },
  row: OdmRow,
  storedRow: StoredRow,
  columns: {
    trips: { type: "INT64", rule: "additive" },
    general_distance_m: { type: "FLOAT64", rule: "distance" },
    average_speed_kmh: { type: "FLOAT64", rule: "mean", over: "trips" },
  },
  tables: [
    {
      name: "odm_daily",
      key: ["country_code", "batch_date", "origin_geo_type", "origin_geo_id", "destination_geo_type", "destination_geo_id"],
      references: [
        { id: "origin_geo_id", table: "geographies", geoType: "origin_geo_type" },
        { id: "destination_geo_id", table: "geographies", geoType: "destination_geo_type" },
      ],
      nesting: "pairs",
    },
  ],
  accept: ({ body, code, offer: { geo_types: allowed, mixed } }) => {
    const { start_time, end_time, origin_geo_ids = null, destination_geo_ids = null, ...rest } = body;
    const { origin_geo_type: origin, destination_geo_type: destination } = body;
    requireOffered(
      [
        { pointer: "/origin_geo_type", given: origin, allowed },
        { pointer: "/destination_geo_type", given: destination, allowed },
      ],
      `for odm in ${code}`,
    );
    if (!mixed && origin !== destination)
      throw invalidFields(
        [{ pointer: "/destination_geo_type", detail: `must be the same as origin_geo_type in ${code}`, allowed: [origin] }],
        "unsupported_combination",
      );
    const window = { start_time: start_time.toISOString(), end_time: end_time.toISOString() };
    return { ...rest, ...window, country_code: code, origin_geo_ids, destination_geo_ids };
  },
  statement: odmQuery,
  rowsMax: async (request, { timeZone }, count) => {
    const [origins, destinations] = await Promise.all([
      request.origin_geo_ids?.length ?? count(request.country_code, request.origin_geo_type),
      request.destination_geo_ids?.length ?? count(request.country_code, request.destination_geo_type),
    ]);
    return origins * destinations * civilDayCount(windowOf(request), timeZone);
  },
  examples: {
    "some-pairs": { request: EXAMPLE },
    "some-origins": { request: { ...EXAMPLE, destination_geo_ids: null } },
    "some-destinations": { request: { ...EXAMPLE, origin_geo_ids: null } },
    "all-pairs": { request: { ...EXAMPLE, origin_geo_ids: null, destination_geo_ids: null } },
    "no-distance-no-speed": {
      request: EXAMPLE,
      offer: { geo_types: ["grid_1000m", "admin_level_4"], mixed: true, distance: "none", speed: false },
    },
  },
});

/** Columns whose name in the specification differs from the table's. */
const SOURCES: Readonly<Record<string, string>> = {
  General_Distance: "general_distance_m AS General_Distance",
  Average_Speed: "average_speed_kmh AS Average_Speed",
};

/** Returns the query of one row per pair and civil day that overlaps the window, for any `activity_type`. */
function odmQuery(request: OdmRequest, { timeZone }: CountryRules, { distance, speed }: Offer): ProductQuery {
  const { first, last } = civilDays(windowOf(request), timeZone);
  const { origin_geo_ids, destination_geo_ids } = request;
  const columns: Column[] = [
    { name: "batch_date", type: "DATE" },
    { name: "origin_geo_id", type: "INT64" },
    { name: "destination_geo_id", type: "INT64" },
    ...(distance === "none" ? [] : [{ name: "General_Distance", type: "FLOAT64" } as const]),
    ...(speed ? [{ name: "Average_Speed", type: "FLOAT64" } as const] : []),
    { name: "trips", type: "INT64" },
  ];
  return {
    table: "odm_daily",
    row: StoredRow,
    ctes: `result_rows AS (
  SELECT ${columns.map(({ name }) => SOURCES[name] ?? name).join(", ")}
  FROM \`mobility.odm_daily\`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND origin_geo_type = @origin_geo_type AND destination_geo_type = @destination_geo_type${
      origin_geo_ids ? "\n    AND origin_geo_id IN UNNEST(@origin_geo_ids)" : ""
    }${destination_geo_ids ? "\n    AND destination_geo_id IN UNNEST(@destination_geo_ids)" : ""}
)`,
    columns,
    order: ["batch_date", "origin_geo_id", "destination_geo_id"],
    largest: { by: "trips", rowsMax: PREVIEW_ROWS_MAX },
    ids: [
      ...(origin_geo_ids ? [{ parameter: "origin_geo_ids", typeParameter: "origin_geo_type", column: "origin_geo_id" }] : []),
      ...(destination_geo_ids
        ? [{ parameter: "destination_geo_ids", typeParameter: "destination_geo_type", column: "destination_geo_id" }]
        : []),
    ],
    parameters: {
      country_code: { type: "STRING", value: request.country_code },
      origin_geo_type: { type: "STRING", value: request.origin_geo_type },
      destination_geo_type: { type: "STRING", value: request.destination_geo_type },
      ...(origin_geo_ids ? { origin_geo_ids: { type: "ARRAY<INT64>", value: origin_geo_ids } } : {}),
      ...(destination_geo_ids ? { destination_geo_ids: { type: "ARRAY<INT64>", value: destination_geo_ids } } : {}),
      first_date: { type: "DATE", value: first },
      last_date: { type: "DATE", value: last },
    },
  };
}
