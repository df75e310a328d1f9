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
  })} FROM rows WHERE batch_date <> ${dayOfBucket(countries)}`;
  const misplaced =
    bucket === "hour"
      ? { where: "time_bucket <> date_trunc('hour', time_bucket)", says: "'is not the start of an hour'" }
      : {
          where: `batch_date = ${dayOfBucket(countries)} AND time_bucket <> ${begins}`,
          says: `concat('is not when ', batch_date, ' begins in ', ${zone}, ', which is ', ${time(begins)})`,
        };
  const column = quotedString(label("time_bucket"));
  return [
    otherDay,
    `SELECT ${faultColumns({ row: '"#"', column, value: time("time_bucket"), says: misplaced.says })} FROM rows WHERE ${misplaced.where}`,
  ];
}

function sameKey(key: readonly string[]): string {
  const columns = key.join(", ");
  return `WITH twins AS (SELECT ${columns}, min("#") AS first FROM rows GROUP BY ${columns} HAVING count(*) > 1)
    SELECT ${faultColumns({ row: '"#"', says: `concat('the same ${columns} (', concat_ws(', ', ${columns}), ')')`, twin: "first" })}
    FROM rows JOIN twins USING (${columns}) WHERE "#" > first`;
}
