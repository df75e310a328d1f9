import * as v from "valibot";
import { GEO_TYPES } from "../../../countries/country-rules.ts";
import { CountryCode, GeoTypeName } from "../../../countries/request-fields.ts";
import { Instant, WholeNumber } from "../../../http/fields.ts";
import { defineProduct } from "../../define-product.ts";
import { requireOffered } from "../../offered.ts";
import { Format, Full, RowsOnly, STORED_FIELDS, startsBeforeEnd, WINDOW_ORDER, windowOf } from "../../request-fields.ts";
import { civilDayCount, civilDays } from "../../time-window.ts";

const Common = {
  agg_type: v.literal("visits"),
  country_code: v.optional(CountryCode),
  measure: v.literal("visits"),
  geo_type: GeoTypeName,
  start_time: Instant,
  end_time: Instant,
};
const Row = v.pipe(v.strictObject({ batch_date: v.string(), geo_id: WholeNumber, visits: WholeNumber }), v.title("VisitsRow"));

const Request = v.object({ ...STORED_FIELDS, agg_type: v.literal("visits"), measure: v.literal("visits"), geo_type: GeoTypeName });

/** A product that only a test adds to the catalogue. Everything must work with it. */
export const visits = defineProduct({
  name: "visits",
  dataset: "visits",
  offer: v.strictObject({ geo_types: v.array(v.picklist(GEO_TYPES)) }),
  geoTypes: ({ geo_types }) => geo_types,
  body: v.pipe(
    v.strictObject({
      ...Common,
      activity_type: v.optional(v.literal("daily")),
      full: v.optional(Full, false),
      format: v.optional(Format, "csv"),
    }),
    v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
    v.title("VisitsRequest"),
  ),
  query: v.pipe(
    v.strictObject({ ...Common, format: RowsOnly }),
    v.forward(v.partialCheck([["start_time"], ["end_time"]], startsBeforeEnd, WINDOW_ORDER), ["end_time"]),
    v.transform((query) => ({ ...query, full: false, format: "csv" as const })),
  ),
  request: Request,
  asked: { measure: Common.measure, activity_type: v.literal("daily"), geo_type: GeoTypeName },
  row: Row,
  storedRow: Row,
  columns: { visits: { type: "INT64", rule: "additive" } },
  measures: ["visits"],
  tables: [
    {
      name: "visits_daily",
      key: ["country_code", "batch_date", "time_bucket", "geo_type", "geo_id"],
      bucket: "day",
      references: [{ id: "geo_id", table: "geographies", geoType: "geo_type" }],
      nesting: "areas",
    },
  ],
  accept: ({ body, code, offer }) => {
    requireOffered([{ pointer: "/geo_type", given: body.geo_type, allowed: offer.geo_types }], `for visits in ${code}`);
    const window = { start_time: body.start_time.toISOString(), end_time: body.end_time.toISOString() };
    return { ...body, ...window, country_code: code, activity_type: "daily" };
  },
  statement: (request, { timeZone }) => {
    const { first, last } = civilDays(windowOf(request), timeZone);
    return {
      table: "visits_daily",
      row: Row,
      ctes: `result_rows AS (
  SELECT batch_date, geo_id, visits
  FROM \`mobility.visits_daily\`
  WHERE batch_date BETWEEN @first_date AND @last_date AND country_code = @country_code AND geo_type = @geo_type
)`,
      columns: [
        { name: "batch_date", type: "DATE" },
        { name: "geo_id", type: "INT64" },
        { name: "visits", type: "INT64" },
      ],
      order: ["batch_date", "geo_id"],
      ids: [],
      parameters: {
        country_code: { type: "STRING", value: request.country_code },
        geo_type: { type: "STRING", value: request.geo_type },
        first_date: { type: "DATE", value: first },
        last_date: { type: "DATE", value: last },
      },
    };
  },
  rowsMax: async (request, { timeZone }, count) =>
    (await count(request.country_code, request.geo_type)) * civilDayCount(windowOf(request), timeZone),
  examples: {},
});
