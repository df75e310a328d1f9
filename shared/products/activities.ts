import type { CountryRules } from "../countries/country-rules.ts";
import type { Parameters } from "../google/statement.ts";
import type { ActivitiesRequest } from "../jobs/job-fields.ts";
import type { ActivityMeasure } from "./activities-schemas.ts";
import type { ProductQuery } from "./statements.ts";
import { civilDays, civilDaysOfHours, hourBounds } from "./time-window.ts";

/** The column behind a measure in a table whose rows are one bucket each. An hour's sum, average and peak of people are one number. */
const COLUMNS: Record<ActivityMeasure, string> = {
  sum_unique_people: "people",
  avg_unique_people: "people",
  max_unique_people: "people",
  stays_count: "stays_count",
  stays_dwell_minutes: "stays_dwell_minutes",
  stays_devices: "stays_devices",
};

/** Measures of a day that are taken over its published hours; every other one has a row of its own in the daily table. */
const OVER_HOURS: Partial<Record<ActivityMeasure, string>> = {
  avg_unique_people: "ROUND(AVG(IF(publishable, people, NULL)), 1)",
  max_unique_people: "MAX(IF(publishable, people, NULL))",
};

/** Activities: one row a geography and bucket that overlaps the window. */
export function activitiesQuery(request: ActivitiesRequest, rules: CountryRules): ProductQuery {
  const window = { start: new Date(request.start_time), end: new Date(request.end_time) };
  const { first, last } = (request.activity_type === "hourly" ? civilDaysOfHours : civilDays)(window, rules.timeZone);
  const hours = hourBounds(window);
  const parameters: Parameters = {
    country_code: { type: "STRING", value: request.country_code },
    geo_type: { type: "STRING", value: request.geo_type },
    ...(request.geo_ids ? { geo_ids: { type: "ARRAY<INT64>", value: request.geo_ids } } : {}),
    first_date: { type: "DATE", value: first },
    last_date: { type: "DATE", value: last },
    after: { type: "TIMESTAMP", value: hours.after.toISOString() },
    before: { type: "TIMESTAMP", value: hours.before.toISOString() },
    time_zone: { type: "STRING", value: rules.timeZone },
    activity_type: { type: "STRING", value: request.activity_type },
  };
  const overHours = request.activity_type === "daily" ? OVER_HOURS[request.measure] : undefined;
  const table = request.activity_type === "hourly" || overHours ? "activities_hourly" : "activities_daily";
  const where = `batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND geo_type = @geo_type${request.geo_ids ? "\n    AND geo_id IN UNNEST(@geo_ids)" : ""}`;
  return {
    table,
    ctes: `matched AS (
  ${matched({ request, table, where, overHours })}
),
result_rows AS (
  SELECT
    matched.value AS ${request.measure}, matched.time_bucket, matched.geo_id,
    COALESCE(geographies.geo_name, CAST(matched.geo_id AS STRING)) AS geo_name,
    @activity_type AS type, matched.publishable
  FROM matched
  LEFT JOIN \`mobility.geographies\` AS geographies
    ON geographies.country_code = @country_code AND geographies.geo_type = @geo_type AND geographies.geo_id = matched.geo_id
)`,
    columns: [
      { name: request.measure, type: overHours && request.measure === "avg_unique_people" ? "FLOAT64" : "INT64" },
      { name: "time_bucket", type: "TIMESTAMP" },
      { name: "geo_id", type: "INT64" },
      { name: "geo_name", type: "STRING" },
      { name: "type", type: "STRING" },
    ],
    order: ["time_bucket", "geo_id"],
    ids: request.geo_ids ? [{ parameter: "geo_ids", typeParameter: "geo_type" }] : [],
    parameters,
  };
}

interface Matched {
  readonly request: ActivitiesRequest;
  readonly table: string;
  readonly where: string;
  readonly overHours: string | undefined;
}

function matched({ request, table, where, overHours }: Matched): string {
  if (overHours)
    return `SELECT TIMESTAMP(batch_date, @time_zone) AS time_bucket, geo_id, ${overHours} AS value, LOGICAL_OR(publishable) AS publishable
  FROM \`mobility.${table}\`
  WHERE ${where}
  GROUP BY batch_date, geo_id`;
  const hours = request.activity_type === "hourly" ? "\n    AND time_bucket > @after AND time_bucket < @before" : "";
  return `SELECT time_bucket, geo_id, ${COLUMNS[request.measure]} AS value, publishable
  FROM \`mobility.${table}\`
  WHERE ${where}${hours}`;
}
