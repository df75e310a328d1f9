import * as v from "valibot";
import { civilDay, overlap, type Span } from "./civil-days.ts";
import type { CountryRules } from "./countries.ts";
import { operatorsWarehouse } from "./dump.ts";

/** The columns of a dump. */
export const Numbers = v.array(v.number());
export const Texts = v.array(v.string());

/** Names of geographies by id, by country and type. */
export type Names = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The newest version of each batch, by table, country and day. */
export type Versions = ReadonlyMap<string, number>;

/** A version and its day, as in a manifest. */
export interface DataVersion {
  readonly batch_date: string;
  readonly version: number;
}

/** Returns the key of a group of rows, for example of a country and a geography type. */
export function groupKey(...parts: readonly string[]): string {
  return parts.join(" ");
}

const Geographies = v.array(v.object({ country_code: v.string(), geo_type: v.string(), geo_id: v.number(), geo_name: v.string() }));
const Batches = v.array(
  v.object({ table_name: v.string(), country_code: v.string(), batch_date: v.object({ value: v.string() }), version: v.number() }),
);

/** Reads the names of all geographies. */
export async function readNames(): Promise<Names> {
  const names = new Map<string, Map<number, string>>();
  for (const { country_code, geo_type, geo_id, geo_name } of v.parse(
    Geographies,
    await query("SELECT country_code, geo_type, geo_id, geo_name FROM mobility.geographies"),
  )) {
    const key = groupKey(country_code, geo_type);
    const group = names.get(key) ?? new Map<number, string>();
    names.set(key, group.set(geo_id, geo_name));
  }
  return names;
}

/** Reads the ledger's newest version of each day of the fact tables. */
export async function readVersions(): Promise<Versions> {
  const rows = await query("SELECT table_name, country_code, batch_date, version FROM mobility.batches WHERE batch_date IS NOT NULL");
  const versions = new Map<string, number>();
  for (const { table_name, country_code, batch_date, version } of v.parse(Batches, rows)) {
    const key = groupKey(table_name, country_code, batch_date.value);
    versions.set(key, Math.max(version, versions.get(key) ?? 0));
  }
  return versions;
}

/** The first day that tests may draw. Other tests land days long before the sample's, whose gap would leave most windows empty. */
const DRAWN_SINCE = new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10);

/** Returns the first and the last day of a country's sample in a table. Throws when there is none. */
export function loadedDays(versions: Versions, table: string, country: string): { readonly first: string; readonly last: string } {
  const days = [...versions.keys()]
    .filter((key) => key.startsWith(groupKey(table, country, "")))
    .map((key) => key.slice(-10))
    .filter((day) => day >= DRAWN_SINCE)
    .sort();
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) throw new RangeError(`${table} has no day of ${country}`);
  return { first, last };
}

/** Returns the versions of the civil days that overlap a window, in order. */
export function versionsIn(versions: Versions, table: string, { code, time_zone: timeZone }: CountryRules, window: Span): DataVersion[] {
  return [...versions]
    .filter(([key]) => key.startsWith(groupKey(table, code, "")))
    .map(([key, version]) => ({ batch_date: key.slice(-10), version }))
    .filter(({ batch_date: date }) => overlap(civilDay(timeZone, date), window))
    .sort((a, b) => (a.batch_date < b.batch_date ? -1 : 1));
}

/** Returns the rows of a small query. */
export async function query(sql: string): Promise<unknown[]> {
  const [rows] = await operatorsWarehouse().query({ query: sql, wrapIntegers: false });
  return rows;
}

const dates = new Map<number, string>();

/** Returns the date so many days after 1970-01-01. */
export function dateOfDay(day: number): string {
  const date = dates.get(day) ?? new Date(day * 86_400_000).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
}
