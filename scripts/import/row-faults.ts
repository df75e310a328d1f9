import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { faultColumns } from "./faults.ts";
import { scalingFaults } from "./scaling.ts";
import { tickFaults } from "./tick-faults.ts";

/** Returns a DuckDB expression for the time zone of the row's country. */
function zoneOf(countries: CountryTable): string {
  const zones = Object.entries(countries).map(([code, { timeZone }]) => `WHEN '${code}' THEN ${quotedString(timeZone)}`);
  return `CASE country_code ${zones.join(" ")} END`;
}

/** Returns a DuckDB expression for the civil day of the row's bucket in its country. */
export function dayOfBucket(countries: CountryTable): string {
  return `CAST(timezone(${zoneOf(countries)}, time_bucket) AS DATE)`;
}

/** The columns that conditions on buckets read. */
const BUCKET = "country_code, batch_date, time_bucket";

interface FaultContext {
  readonly countries: CountryTable;
  readonly now: Date;
  /** The names of the loaded columns. */
  readonly columns: readonly string[];
  /** Returns a column's name for messages. */
  readonly label: (column: string) => string;
}

/** Queries of what is wrong between the values of a row, between rows, or with the time, over the table `rows`, each value of which is right in itself. */
export function rowFaults(table: LoadedTable, { countries, now, columns, label }: FaultContext): string[] {
  return [
    ...(table.bucket === undefined ? [] : bucketFaults(table.bucket, countries, label)),
    ...(isFeed(table) ? [tickFaults(now, label("tick"))] : []),
    ...scalingFaults(table, columns, countries, label),
    sameKey(table.key),
  ];
}

function bucketFaults(bucket: "hour" | "day", countries: CountryTable, label: (column: string) => string): string[] {
  const zone = zoneOf(countries);
  const time = (instant: string): string => `strftime(${instant}, '%Y-%m-%dT%H:%M:%SZ')`;
  const begins = `timezone(${zone}, CAST(batch_date AS TIMESTAMP))`;
  const otherDay = `SELECT ${faultColumns({
    row: '"#"',
    column: quotedString(label("batch_date")),
    value: "CAST(batch_date AS VARCHAR)",
    says: `concat('is not the day of ', ${time("time_bucket")}, ' in ', ${zone}, ', which is ', ${dayOfBucket(countries)})`,
  })} ${fromBuckets(BUCKET, `batch_date <> ${dayOfBucket(countries)}`)}`;
  const misplaced =
    bucket === "hour"
      ? { of: "time_bucket", where: "time_bucket <> date_trunc('hour', time_bucket)", says: "'is not the start of an hour'" }
      : {
          of: BUCKET,
          where: `batch_date = ${dayOfBucket(countries)} AND time_bucket <> ${begins}`,
          says: `concat('is not when ', batch_date, ' begins in ', ${zone}, ', which is ', ${time(begins)})`,
        };
  const column = quotedString(label("time_bucket"));
  return [
    otherDay,
    `SELECT ${faultColumns({ row: '"#"', column, value: time("time_bucket"), says: misplaced.says })} ${fromBuckets(misplaced.of, misplaced.where)}`,
  ];
}

/**
 * Returns the FROM clause of the rows of buckets for which a condition holds. Computing with time zones is slow, and there are few buckets.
 * @param bucket the columns that the condition reads
 */
function fromBuckets(bucket: string, condition: string): string {
  // DuckDB moves the condition to the rows unless there is a limit between them.
  const buckets = `SELECT DISTINCT ${bucket} FROM rows LIMIT ${Number.MAX_SAFE_INTEGER}`;
  return `FROM rows SEMI JOIN (SELECT * FROM (${buckets}) AS rows WHERE ${condition}) USING (${bucket})`;
}

function sameKey(key: readonly string[]): string {
  const columns = key.join(", ");
  // Rows with the same key have the same hash. Grouping by a number takes less memory than by the key.
  const suspects = `SELECT hash(${columns}) AS hashed FROM rows GROUP BY hashed HAVING count(*) > 1`;
  return `WITH twins AS (
      SELECT ${columns}, min("#") AS first FROM rows WHERE hash(${columns}) IN (${suspects}) GROUP BY ${columns} HAVING count(*) > 1
    )
    SELECT ${faultColumns({ row: '"#"', says: `concat('the same ${columns} (', concat_ws(', ', ${columns}), ')')`, twin: "first" })}
    FROM rows JOIN twins USING (${columns}) WHERE "#" > first`;
}
