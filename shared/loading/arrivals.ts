import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { loadedCountry } from "../products/loaded-tables.ts";
import { dateAfter } from "../products/time-window.ts";
import type { Log } from "../runtime/log.ts";
import { arrivedStatement } from "./arrival-statements.ts";
import { LANDED_TABLES } from "./batch.ts";

/** A day of a country in a table that must have arrived. */
interface ExpectedDay {
  readonly table: string;
  readonly country: string;
  /** The civil day. */
  readonly date: string;
}

/** How many days back a missing day is told, until it arrives or is given up. */
const DAYS_BACK = 3;

/**
 * Returns the days that must have arrived by an instant: of each country, in each table of a product that it offers, the days whose next day has
 * reached `hour` in the country's time zone.
 */
function expectedDays(countries: CountryTable, hour: number, now: Date): ExpectedDay[] {
  return Object.entries(countries).flatMap(([country, rules]) => {
    const local = localTime(now, rules.timeZone);
    const newest = dateAfter(local.date, local.hour >= hour ? -1 : -2);
    const dates = Array.from({ length: DAYS_BACK }, (_, back) => dateAfter(newest, -back));
    const tables = LANDED_TABLES.filter((table) => loadedCountry(table, country, rules) !== undefined);
    return tables.flatMap(({ name }) => dates.map((date) => ({ table: name, country, date })));
  });
}

/** What the report of missing days needs. */
interface ArrivalContext {
  readonly countries: CountryTable;
  /** The hour by which the day before must have arrived; undefined: nothing is expected. */
  readonly hour: number | undefined;
  readonly now: () => Date;
  readonly log: Log;
}

/** Logs an ERROR for each day that did not arrive by its hour. An alert of `terraform/modules/operations` matches the line. */
export async function reportMissingDays(warehouse: Warehouse, { countries, hour, now, log }: ArrivalContext): Promise<void> {
  if (hour === undefined) return;
  const expected = expectedDays(countries, hour, now());
  const dates = expected.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return;
  const arrived = await warehouse.query(arrivedStatement(first, last), { customer: "all" });
  const there = new Set(arrived.map(({ table_name, country_code, period }) => `${table_name} ${country_code} ${period}`));
  const missing = expected.filter(({ table, country, date }) => !there.has(`${table} ${country} ${date}`));
  for (const { table, country, date } of missing) log("ERROR", "A day of data did not arrive", { table, country, date, hour });
  log("INFO", "Checked what has arrived", { expected: expected.length, missing: missing.length });
}

function localTime(now: Date, timeZone: string): { readonly date: string; readonly hour: number } {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" },
  }).formatToParts(now);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return { date: `${of("year")}-${of("month")}-${of("day")}`, hour: Number(of("hour")) };
}
