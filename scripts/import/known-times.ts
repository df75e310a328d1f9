import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { HOUR_US, hoursAround, shiftOf } from "./civil-days.ts";
import type { DuckDbSession } from "./duckdb-session.ts";

/** The names of the tables of hours and days. Both have `text` and `value`; hours have their civil day in each time zone. */
export const HOURS = "known_hours";
export const DAYS = "known_days";

/** Makes the table of the hours that files are mostly of, as they are mostly written. */
export async function makeHours(duckdb: DuckDbSession, countries: CountryTable, now: Date): Promise<void> {
  const { first, end } = hoursAround(now);
  const days: string[] = [];
  for (const zone of new Set(Object.values(countries).map(({ timeZone }) => timeZone)))
    days.push(`, CAST(make_timestamp(start + ${await shiftOf(duckdb, zone, "start", now)}) AS DATE) AS ${quotedIdentifier(zone)}`);
  await duckdb.run(`CREATE TEMP TABLE ${HOURS} AS
    SELECT strftime(make_timestamp(start), '%Y-%m-%dT%H:%M:%SZ') AS text, to_timestamp(start / 1000000) AS value${days.join("")}
    FROM (SELECT hour * ${HOUR_US} AS start FROM range(${first}, ${end}) AS hours(hour))`);
}

/**
 * Returns a DuckDB expression for the civil day of the hour in a row of the table of hours, in the row's country. `code` is the country's code, of the
 * DuckDB type `type`: codes of an ENUM are compared without making a text of each.
 */
export function dayOfHour(row: string, { code, type }: { readonly code: string; readonly type: string }, countries: CountryTable): string {
  const days = Object.entries(countries).map(
    ([known, { timeZone }]) => `WHEN CAST(${quotedString(known)} AS ${type}) THEN ${row}.${quotedIdentifier(timeZone)}`,
  );
  return `CASE ${code} ${days.join(" ")} END`;
}

/** Makes the table of the days from 1970 to next year. */
export async function makeDays(duckdb: DuckDbSession, now: Date): Promise<void> {
  const end = `DATE '${now.getUTCFullYear() + 2}-01-01'`;
  await duckdb.run(`CREATE TEMP TABLE ${DAYS} AS SELECT strftime(value, '%Y-%m-%d') AS text, value
    FROM (SELECT CAST(day AS DATE) AS value FROM range(DATE '1970-01-01', ${end}, INTERVAL 1 DAY) AS days(day))`);
}
