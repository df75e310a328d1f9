import { quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { dayOfBucket } from "./row-faults.ts";

const HOUR_MS = 3_600_000;
export const HOUR_US = HOUR_MS * 1000;
/** The hours around the current one that files are mostly of. */
export const PAST_HOURS = 800 * 24;
export const FUTURE_HOURS = 48;

const Microseconds = v.pipe(v.string(), v.transform(Number));
const Shifts = v.array(v.object({ since: Microseconds, shift: Microseconds }));
type Shifts = v.InferOutput<typeof Shifts>;

/**
 * Returns a DuckDB expression for the civil day of the row's bucket in its country, the same as `dayOfBucket`. That takes longer than all else
 * of a row, so the offset from UTC of the last two years' hours is asked for before, once for each country: it changes a few times.
 */
export async function civilDayOf(duckdb: DuckDbSession, countries: CountryTable, now: Date): Promise<string> {
  const time = "epoch_us(time_bucket)";
  const ofCountries: string[] = [];
  for (const [code, { timeZone }] of Object.entries(countries))
    ofCountries.push(`WHEN ${quotedString(code)} THEN ${await shiftOf(duckdb, timeZone, time, now)}`);
  const isKnown = `${time} % ${HOUR_US} = 0 AND ${time} < ${hoursAround(now).end * HOUR_US}`;
  const shift = `CASE WHEN ${isKnown} THEN CASE country_code ${ofCountries.join(" ")} END END`;
  return `coalesce(CAST(make_timestamp(${time} + ${shift}) AS DATE), ${dayOfBucket(countries)})`;
}

/** Returns the hours that files are mostly of, counted from 1970: from `first` up to, but without, `end`. */
export function hoursAround(now: Date): { readonly first: number; readonly end: number } {
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  return { first: thisHour - PAST_HOURS, end: thisHour + FUTURE_HOURS };
}

/**
 * Returns a DuckDB expression for a time zone's offset from UTC at one of these hours, microseconds; NULL before them.
 * @param time a DuckDB expression for the hour's start, microseconds from 1970
 */
export async function shiftOf(duckdb: DuckDbSession, timeZone: string, time: string, now: Date): Promise<string> {
  const { first, end } = hoursAround(now);
  const key = `${timeZone} ${first}`;
  const shifts = known.get(key) ?? (await shiftsOf(duckdb, timeZone, first, end));
  known.set(key, shifts);
  return `CASE ${shifts.map(({ since, shift }) => `WHEN ${time} >= ${since} THEN ${shift}`).join(" ")} END`;
}

/** The offsets that were asked for, by time zone and first hour. A file asks for them up to three times, and an import may be of many files. */
const known = new Map<string, Shifts>();

/** Returns a time zone's offsets within some hours, counted from 1970, each with the instant since which it holds; newest first. */
async function shiftsOf(duckdb: DuckDbSession, timeZone: string, first: number, end: number): Promise<Shifts> {
  const changes = async (hours: string): Promise<Shifts> =>
    v.parse(
      Shifts,
      await duckdb.rows(`SELECT hour * ${HOUR_US} AS since, shift FROM (
        SELECT hour, shift, lag(shift) OVER (ORDER BY hour) AS before FROM (
          SELECT hour, epoch_us(timezone(${quotedString(timeZone)}, to_timestamp(hour * 3600))) - hour * ${HOUR_US} AS shift FROM (${hours})
        )
      ) WHERE shift IS DISTINCT FROM before ORDER BY hour DESC`),
    );
  // Once for each day, then for the hours of the days of a change: no zone changes its offset twice within a day.
  const days = await changes(`SELECT unnest(range(${first}, ${end + 24}, 24)) AS hour`);
  return changes(days.map(({ since }) => `SELECT unnest(range(${since / HOUR_US} - 24, ${since / HOUR_US} + 1)) AS hour`).join(" UNION "));
}
