import * as v from "valibot";
import { type Parameters, type Statement, statement } from "../google/statement.ts";

/** Filters for batches. Dates are civil days `YYYY-MM-DD`, both inclusive and optional. */
export interface AvailabilityFilters {
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly tables: readonly string[];
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** A batch in the ledger. `batch_date` is a civil day of the country, `loaded_at` is ISO 8601. */
const AvailabilityRow = v.object({
  country_code: v.string(),
  table_name: v.string(),
  batch_date: v.string(),
  published_rows: v.number(),
  loaded_at: v.string(),
  // The client copies lists of structs for longer than a text of them takes to parse.
  geo_types: v.pipe(
    v.nullish(v.string(), "[]"),
    v.parseJson(),
    v.array(
      v.object({
        geo_type: v.string(),
        destination_geo_type: v.nullable(v.string()),
        published_rows: v.number(),
        withheld_people_percent: v.nullable(v.number()),
      }),
    ),
  ),
});
export type AvailabilityRow = v.InferOutput<typeof AvailabilityRow>;

/** Returns a query of the newest version of each daily batch that is not deleted, ordered by table and date. It reads only the ledgers. */
export function availabilityStatement({ country, tables, first, last }: AvailabilityFilters): Statement<AvailabilityRow> {
  const names = tables.map((_, index) => `@table_${index}`);
  const parameters: Parameters = {
    country_code: { type: "STRING", value: country },
    ...Object.fromEntries(tables.map((table, index) => [`table_${index}`, { type: "STRING", value: table } as const])),
    ...(first === undefined ? {} : { first_date: { type: "DATE", value: first } }),
    ...(last === undefined ? {} : { last_date: { type: "DATE", value: last } }),
  };
  const dates = `batch_date IS NOT NULL${first === undefined ? "" : " AND batch_date >= @first_date"}${last === undefined ? "" : " AND batch_date <= @last_date"}`;
  const wanted = `country_code = @country_code AND table_name IN (${names.join(", ")}) AND ${dates}`;
  return statement(
    AvailabilityRow,
    `WITH newest AS (
  SELECT country_code, table_name, batch_date, version, row_count, loaded_at, is_deleted
  FROM \`mobility.batches\`
  WHERE ${wanted}
  QUALIFY ROW_NUMBER() OVER (PARTITION BY table_name, batch_date ORDER BY version DESC, loaded_at DESC) = 1
),
typed AS (
  SELECT table_name, batch_date, version,
    TO_JSON_STRING(ARRAY_AGG(
      STRUCT(geo_type, destination_geo_type, published_rows, withheld_people_percent)
      ORDER BY geo_type, destination_geo_type
    )) AS geo_types
  FROM \`mobility.batch_geo_types\`
  WHERE ${wanted}
  GROUP BY table_name, batch_date, version
)
SELECT
  newest.country_code, newest.table_name, FORMAT_DATE('%F', newest.batch_date) AS batch_date, newest.row_count AS published_rows,
  FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', newest.loaded_at) AS loaded_at, typed.geo_types
FROM newest
LEFT JOIN typed ON typed.table_name = newest.table_name AND typed.batch_date = newest.batch_date AND typed.version = newest.version
WHERE newest.is_deleted IS NOT TRUE
ORDER BY newest.table_name, newest.batch_date`,
    parameters,
  );
}
