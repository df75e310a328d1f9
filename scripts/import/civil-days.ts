import { quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { dayOfBucket } from "./row-faults.ts";

const HOUR_MS = 3_600_000;
const HOUR_US = HOUR_MS * 1000;
/** The hours around the current one that files are mostly of. */
export const PAST_HOURS = 800 * 24;
export const FUTURE_HOURS = 48;

const Microseconds = v.pipe(v.string(), v.transform(Number));
const Shifts = v.array(v.object({ since: Microseconds, shift: Microseconds }));

/**
 * Returns a DuckDB expression for the civil day of the row's bucket in its country, the same as `dayOfBucket`. That takes longer than all else
 * of a row, so the offset from UTC of the last two years' hours is asked for before, once for each country: it changes a few times.
 */
export async function civilDayOf(duckdb: DuckDbSession, countries: CountryTable, now: Date): Promise<string> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  const [first, end] = [thisHour - PAST_HOURS, thisHour + FUTURE_HOURS];
  const time = "epoch_us(time_bucket)";
  const ofCountries: string[] = [];
  for (const [code, { timeZone }] of Object.entries(countries)) {
    const shifts = await duckdb.rows(`SELECT hour * ${HOUR_US} AS since, shift FROM (
      SELECT hour, shift, lag(shift) OVER (ORDER BY hour) AS before FROM (
        SELECT hour, epoch_us(timezone(${quotedString(timeZone)}, to_timestamp(hour * 3600))) - hour * ${HOUR_US} AS shift
        FROM range(${first}, ${end}) AS hours(hour)
      )
    ) WHERE shift IS DISTINCT FROM before ORDER BY hour DESC`);
    // Newest first, so that the first that has begun is the one.
    const since = v.parse(Shifts, shifts).map((found) => `WHEN ${time} >= ${found.since} THEN ${found.shift}`);
    ofCountries.push(`WHEN ${quotedString(code)} THEN CASE ${since.join(" ")} END`);
  }
  const isKnown = `${time} % ${HOUR_US} = 0 AND ${time} < ${end * HOUR_US}`;
  const shift = `CASE WHEN ${isKnown} THEN CASE country_code ${ofCountries.join(" ")} END END`;
  return `coalesce(CAST(make_timestamp(${time} + ${shift}) AS DATE), ${dayOfBucket(countries)})`;
}
