import type { CountryRules } from "../countries/country-rules.ts";
import type { FlowRequest } from "../jobs/job-fields.ts";
import type { ProductQuery } from "./statements.ts";
import { civilDaysOfHours, hourBounds } from "./time-window.ts";

/**
 * Flow: one row an hour and direction of the request's link that overlap the window. Without any there is one row with nulls instead, so
 * that an empty window is told from a link that was not found.
 */
export function flowQuery(request: FlowRequest, rules: CountryRules): ProductQuery {
  const window = { start: new Date(request.start_time), end: new Date(request.end_time) };
  const { first, last } = civilDaysOfHours(window, rules.timeZone);
  const hours = hourBounds(window);
  return {
    table: "flows_hourly",
    ctes: `flows AS (
  SELECT link_id, time_bucket, direction, people, publishable
  FROM \`mobility.flows_hourly\`
  WHERE batch_date BETWEEN @first_date AND @last_date
    AND country_code = @country_code AND link_id = @link_id
    AND time_bucket > @after AND time_bucket < @before
),
result_rows AS (
  SELECT
    link.link_id, @link_name AS link_name, @link_type AS link_type, @distance_m AS distance_m,
    flows.time_bucket, flows.direction, flows.people, COALESCE(flows.publishable, TRUE) AS publishable
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
    ids: [],
    parameters: {
      country_code: { type: "STRING", value: request.country_code },
      link_id: { type: "INT64", value: request.link.link_id },
      link_name: { type: "STRING", value: request.link.link_name },
      link_type: { type: "STRING", value: request.link.link_type },
      distance_m: { type: "FLOAT64", value: request.link.distance_m },
      first_date: { type: "DATE", value: first },
      last_date: { type: "DATE", value: last },
      after: { type: "TIMESTAMP", value: hours.after.toISOString() },
      before: { type: "TIMESTAMP", value: hours.before.toISOString() },
    },
  };
}
