import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { dayOfBucket } from "./row-faults.ts";

const HOUR_MS = 3_600_000;
const HOUR_US = HOUR_MS * 1000;
/** The hours around the current one that files are mostly of. */
const PAST_HOURS = 800 * 24;
const FUTURE_HOURS = 48;

/**
 * Returns a DuckDB expression for the civil day of the row's bucket in its country, the same as `dayOfBucket`. Computing it takes longer than
 * reading the row, so the days of the last two years' hours are computed before, once for each country.
 */
export async function civilDayOf(duckdb: DuckDbSession, countries: CountryTable, now: Date): Promise<string> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  const [first, end] = [thisHour - PAST_HOURS, thisHour + FUTURE_HOURS];
  const codes = Object.keys(countries);
  for (const code of codes)
    await duckdb.run(`SET VARIABLE ${variableOf(code)} = (
      SELECT list(day ORDER BY hour) FROM (
        SELECT hour, ${dayOfBucket(countries)} AS day
        FROM (SELECT hour, ${quotedString(code)} AS country_code, to_timestamp(hour * 3600) AS time_bucket FROM range(${first}, ${end}) AS hours(hour))
      )
    )`);
  // Lists count from 1, and from their end below 0. Beyond its ends a list has NULL.
  const index = `greatest(epoch_us(time_bucket) // ${HOUR_US} - ${first - 1}, 0)`;
  const known = codes.map((code) => `WHEN ${quotedString(code)} THEN getvariable('${variableOf(code)}')[${index}]`);
  const ofHour = `CASE WHEN epoch_us(time_bucket) % ${HOUR_US} = 0 THEN CASE country_code ${known.join(" ")} END END`;
  return `coalesce(${ofHour}, ${dayOfBucket(countries)})`;
}

function variableOf(code: string): string {
  return `days_of_${code}`;
}
