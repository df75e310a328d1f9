import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { Column } from "../../shared/google/columns.ts";
import { isFact, isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import type { ImportRequest } from "./arguments.ts";
import { checkOf } from "./checks.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { findFaults, sayValue } from "./faults.ts";
import { labelOf, readFaultyRows } from "./faulty-rows.ts";
import { type Mapped, mapColumns } from "./mapping.ts";
import { rowFaults } from "./row-faults.ts";
import { type CheckedColumn, readSoundRows } from "./sound-rows.ts";
import type { Source } from "./source.ts";

/** The unit that the ledger counts versions of: a country, with a day (facts) or a tick (feeds). */
export interface Batch {
  readonly country: string;
  /** `2026-03-01` for facts, `2026-03-01T00:05:00Z` for a feed, undefined otherwise. */
  readonly period: string | undefined;
  readonly rows: number;
}

/** A file whose rows can all be loaded. */
export interface Prepared {
  /** A Parquet file of the rows, with the table's columns that have a source; for a feed, sorted by tick. */
  readonly parquet: string;
  readonly columns: readonly Column[];
  /** The source of each of these columns, for the checksum. */
  readonly origins: readonly string[];
  readonly batches: readonly Batch[];
  /** The geography types that the rows refer to; for pairs, those of both ends. */
  readonly geoTypes: readonly string[];
}

interface Preparing {
  readonly request: ImportRequest;
  readonly columns: readonly Column[];
  readonly countries: CountryTable;
  readonly source: Source;
  readonly duckdb: DuckDbSession;
  /** The current time, which ticks must be near. */
  readonly now: Date;
}

const Batches = v.array(v.object({ country: v.string(), period: v.nullable(v.string()), rows: v.pipe(v.string(), v.transform(Number)) }));
const GeoTypes = v.array(
  v.pipe(
    v.object({ geo_type: v.string() }),
    v.transform(({ geo_type }) => geo_type),
  ),
);
const Faulty = v.tuple([v.object({ fault: v.nullable(v.string()) })]);

/** Checks every value of a file and writes its rows as Parquet. Throws an ImportError that lists the errors of all kinds. */
export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { request, columns, countries, source, duckdb, now } = preparing;
  const { table, file } = request;
  const mapped = mapColumns(table, columns, source.columns, request.given);
  const checked = mapped.flatMap((entry) => checkedColumn(entry, Object.keys(countries)));
  const constants = await constantFaults(duckdb, checked);
  const loaded = checked.map(({ entry }) => entry.column.name);
  const rules = rowFaults(table, { countries, now, columns: loaded, label: (name) => labelOf(name, mapped) });
  const read = duckdb.path("read.parquet");
  const isSound =
    constants.length === 0 &&
    (await readSoundRows({ source, duckdb, mapped, checked, countries, now }, read)) &&
    (await findFaults(source, duckdb, rules)).total === 0;
  if (!isSound) await readFaultyRows({ source, duckdb, mapped, checked, countries, file }, constants, rules);
  const batches = await duckdb.rows(batchesQuery(table));
  const parquet = isSound && !isFeed(table) ? read : duckdb.path("rows.parquet");
  if (parquet !== read)
    await duckdb.run(
      `COPY (SELECT * EXCLUDE ("#") FROM rows${isFeed(table) ? ` ORDER BY ${table.key.join(", ")}` : ""}) TO ${quotedString(parquet)} (FORMAT parquet)`,
    );
  return {
    parquet,
    columns: mapped.filter(({ kind }) => kind !== "none").map(({ column }) => column),
    origins: mapped.map(originOf),
    batches: v.parse(Batches, batches).map((batch) => ({ ...batch, period: batch.period ?? undefined })),
    geoTypes: await geoTypesOf(table, duckdb),
  };
}

async function geoTypesOf({ references }: LoadedTable, duckdb: DuckDbSession): Promise<string[]> {
  const columns = references.flatMap(({ geoType }) => (geoType === undefined ? [] : [geoType]));
  if (columns.length === 0) return [];
  const types = columns.map((column) => `SELECT ${column} AS geo_type FROM rows`).join(" UNION ");
  return v.parse(GeoTypes, await duckdb.rows(`SELECT DISTINCT geo_type FROM (${types})`));
}

function checkedColumn(entry: Mapped, codes: readonly string[]): CheckedColumn[] {
  if (entry.kind === "none" || entry.kind === "derived") return [];
  const text = entry.kind === "set" ? quotedString(entry.value) : quotedIdentifier(entry.column.name);
  return [{ entry, ...checkOf(entry.column, text, codes) }];
}

/** Returns what is wrong with the values of `--set`. */
async function constantFaults(duckdb: DuckDbSession, checked: readonly CheckedColumn[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { entry, fault } of checked) {
    if (entry.kind !== "set") continue;
    const [{ fault: says }] = v.parse(Faulty, await duckdb.rows(`SELECT ${fault} AS fault`));
    if (says !== null) faults.push(`--set ${entry.column.name}: ${sayValue(entry.value)}${says}`);
  }
  return faults;
}

/** Returns a query for the batches of the table `rows`. Only what the few batches have is made text, not each row's. */
function batchesQuery(table: LoadedTable): string {
  const { of, period } = periodOf(table);
  const counted = `SELECT country_code AS country, ${of} AS of, count(*) AS rows FROM rows GROUP BY ALL`;
  return `SELECT country, ${period} AS period, rows FROM (${counted}) ORDER BY country, period`;
}

/** DuckDB expressions: what tells a country's batches of a table from each other, and the text of it, which is `of`. */
function periodOf(table: LoadedTable): { readonly of: string; readonly period: string } {
  if (isFact(table)) return { of: "batch_date", period: "CAST(of AS VARCHAR)" };
  return isFeed(table) ? { of: "tick", period: "strftime(of, '%Y-%m-%dT%H:%M:%SZ')" } : { of: "NULL", period: "CAST(of AS VARCHAR)" };
}

function originOf(entry: Mapped): string {
  const from = entry.kind === "column" ? ` ${entry.source.name}` : entry.kind === "set" ? ` ${entry.value}` : "";
  return `${entry.column.name} ${entry.kind}${from}`;
}
