import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { Column } from "../../shared/google/columns.ts";
import { isFact, isFeed, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import type { ImportRequest } from "./arguments.ts";
import { checkOf } from "./checks.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { faultColumns, findFaults, sayValue } from "./faults.ts";
import { badFile, ImportError, joinFaults } from "./import-error.ts";
import { type Mapped, mapColumns } from "./mapping.ts";
import { dayOfBucket, rowFaults } from "./row-faults.ts";
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
const Counted = v.tuple([v.object({ rows: v.pipe(v.string(), v.transform(Number)) })]);

/** Checks every value of a file and writes its rows as Parquet. Throws an ImportError that lists the errors of all kinds. */
export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { request, columns, countries, source, duckdb, now } = preparing;
  const { table, file } = request;
  const mapped = mapColumns(table, columns, source.columns, request.given);
  const checked = mapped.flatMap((entry) => checkedColumn(entry, Object.keys(countries)));
  const constants = await constantFaults(duckdb, checked);
  await readSource(preparing, mapped);
  const values = await findFaults(source, duckdb, checked.flatMap(columnFaults));
  const isSound = constants.length === 0 && values.total === 0;
  // A faulty value becomes NULL, which no rule between values reports: only what is wrong besides.
  const columnsOf = ({ entry, value, fault }: Checked): string =>
    `${isSound ? value : `CASE WHEN (${fault}) IS NULL THEN ${value} END`} AS ${quotedIdentifier(entry.column.name)}`;
  await duckdb.run(`CREATE TABLE rows AS SELECT *${dayColumn(mapped, countries)} FROM (
    SELECT "#", ${checked.map(columnsOf).join(", ")} FROM source)`);
  const loaded = checked.map(({ entry }) => entry.column.name);
  const rules = rowFaults(table, { countries, now, columns: loaded, label: (name) => labelOf(name, mapped) });
  const faults = joinFaults([source.malformed, values, await findFaults(source, duckdb, rules)]);
  if (constants.length > 0 || faults.total > 0)
    throw new ImportError([...constants, ...(faults.total > 0 ? [badFile(file, faults).message] : [])].join("\n"));
  const batches = await duckdb.rows(
    `SELECT country_code AS country, ${periodOf(table)} AS period, count(*) AS rows FROM rows GROUP BY country, period ORDER BY country, period`,
  );
  const parquet = duckdb.path("rows.parquet");
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

interface Checked {
  readonly entry: Extract<Mapped, { kind: "column" | "set" }>;
  readonly fault: string;
  readonly value: string;
}

function checkedColumn(entry: Mapped, codes: readonly string[]): Checked[] {
  if (entry.kind === "none" || entry.kind === "derived") return [];
  const text = entry.kind === "set" ? quotedString(entry.value) : quotedIdentifier(entry.column.name);
  return [{ entry, ...checkOf(entry.column, text, codes) }];
}

/** Copies the needed columns as text, with row numbers, so that the file is read only once. */
async function readSource({ source, duckdb, request }: Preparing, mapped: readonly Mapped[]): Promise<void> {
  const columns = mapped.flatMap((entry) =>
    entry.kind === "column" ? [`, ${entry.source.text} AS ${quotedIdentifier(entry.column.name)}`] : [],
  );
  await duckdb.run(`CREATE TABLE source AS SELECT row_number() OVER () AS "#"${columns.join("")} FROM ${source.relation}`);
  const [{ rows }] = v.parse(Counted, await duckdb.rows("SELECT count(*) AS rows FROM source"));
  if (rows !== source.rows) throw new ImportError(`${request.file} changed during the import: ${source.rows} rows, then ${rows}`);
}

/** Returns what is wrong with the values of `--set`. */
async function constantFaults(duckdb: DuckDbSession, checked: readonly Checked[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { entry, fault } of checked) {
    if (entry.kind !== "set") continue;
    const [{ fault: says }] = v.parse(Faulty, await duckdb.rows(`SELECT ${fault} AS fault`));
    if (says !== null) faults.push(`--set ${entry.column.name}: ${sayValue(entry.value)}${says}`);
  }
  return faults;
}

function columnFaults({ entry, fault }: Checked): string[] {
  if (entry.kind !== "column") return [];
  const value = quotedIdentifier(entry.column.name);
  const label = quotedString(labelOf(entry.column.name, [entry]));
  return [
    `SELECT ${faultColumns({ row: '"#"', column: label, value, says: "says" })} FROM (SELECT *, ${fault} AS says FROM source) WHERE says IS NOT NULL`,
  ];
}

/** A DuckDB expression: what tells a country's batches of a table from each other, as text. */
function periodOf(table: LoadedTable): string {
  if (isFact(table)) return "CAST(batch_date AS VARCHAR)";
  return isFeed(table) ? "strftime(tick, '%Y-%m-%dT%H:%M:%SZ')" : "CAST(NULL AS VARCHAR)";
}

function dayColumn(mapped: readonly Mapped[], countries: CountryTable): string {
  return mapped.some(({ kind }) => kind === "derived") ? `, ${dayOfBucket(countries)} AS batch_date` : "";
}

/** Returns a column's name for messages, followed by its name in the file if that differs. */
function labelOf(name: string, mapped: readonly Mapped[]): string {
  const entry = mapped.find(({ column }) => column.name === name);
  return entry?.kind === "column" && entry.source.name !== name ? `${name} (${entry.source.name})` : name;
}

function originOf(entry: Mapped): string {
  const from = entry.kind === "column" ? ` ${entry.source.name}` : entry.kind === "set" ? ` ${entry.value}` : "";
  return `${entry.column.name} ${entry.kind}${from}`;
}
