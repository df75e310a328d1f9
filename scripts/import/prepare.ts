import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { Column } from "../../shared/google/columns.ts";
import { isFact, isFeed } from "../../shared/products/loaded-tables.ts";
import type { ImportRequest } from "./arguments.ts";
import { checkOf } from "./checks.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { countFaults, sayValue } from "./faults.ts";
import { labelOf, readFaultyRows } from "./faulty-rows.ts";
import { type Mapped, mapColumns } from "./mapping.ts";
import { fileType, openSource } from "./open-source.ts";
import { openPlainCsv } from "./plain-csv.ts";
import { readPlainRows } from "./plain-rows.ts";
import { rowFaults } from "./row-faults.ts";
import { type Batch, type BatchGroup, batchesOf, groupRows } from "./row-groups.ts";
import { type CheckedColumn, readSoundRows } from "./sound-rows.ts";
import type { SourceColumn } from "./source.ts";

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
  readonly rows: number;
  /** SHA-256 of the bytes of the file, hexadecimal. */
  readonly checksum: string;
  /** The names of the file's columns. */
  readonly fileColumns: readonly string[];
}

interface Preparing {
  readonly request: ImportRequest;
  readonly columns: readonly Column[];
  readonly countries: CountryTable;
  /** The path of the file, or of its copy. */
  readonly path: string;
  readonly duckdb: DuckDbSession;
  /** The current time, which ticks must be near. */
  readonly now: Date;
}

const Faulty = v.tuple([v.object({ fault: v.nullable(v.string()) })]);

/** A file whose columns are mapped to the table's, with their checks and the rules between values. */
interface Plan {
  readonly mapped: readonly Mapped[];
  readonly checked: readonly CheckedColumn[];
  /** What is wrong with the values of `--set`. */
  readonly constants: readonly string[];
  readonly rules: readonly string[];
}

/** Checks every value of a file and writes its rows as Parquet. Throws an ImportError that lists the errors of all kinds. */
export async function prepare(preparing: Preparing): Promise<Prepared> {
  const { path, duckdb, request } = preparing;
  const isPlain = isFact(request.table) && (await fileType(path)) === "csv";
  const plain = isPlain ? await preparePlain(preparing) : undefined;
  if (plain) return plain;
  const source = await openSource(path, duckdb);
  const plan = await planOf(preparing, source.columns);
  const { mapped, checked, constants, rules } = plan;
  const { countries, now } = preparing;
  const read = duckdb.path("read.parquet");
  const isSound =
    constants.length === 0 &&
    (await readSoundRows({ source, duckdb, mapped, checked, countries, now }, read)) &&
    (await countFaults(duckdb, rules)) === 0;
  if (!isSound) await readFaultyRows({ source, duckdb, mapped, checked, countries, file: request.file }, constants, rules);
  const parquet = isSound && !isFeed(request.table) ? read : duckdb.path("rows.parquet");
  if (parquet !== read)
    await duckdb.run(
      `COPY (SELECT * EXCLUDE ("#") FROM rows${isFeed(request.table) ? ` ORDER BY ${request.table.key.join(", ")}` : ""}) TO ${quotedString(parquet)} (FORMAT parquet)`,
    );
  const groups = await groupRows(duckdb, request.table);
  return preparedOf(plan, { ...source, parquet, groups });
}

/** Returns the rows of a plain CSV file without errors. Undefined for any other file: the general reading tells what is wrong with it, if anything is. */
async function preparePlain(preparing: Preparing): Promise<Prepared | undefined> {
  const { path, request, duckdb, countries, now } = preparing;
  const csv = await openPlainCsv(path);
  const plan = csv && (await planOf(preparing, csv.columns, true).catch(() => undefined));
  if (!plan || plan.constants.length > 0) return undefined;
  const parquet = duckdb.path("plain.parquet");
  const read = await readPlainRows(
    { table: request.table, csv, duckdb, mapped: plan.mapped, checked: plan.checked, countries, now },
    parquet,
  );
  if (!read || (await countFaults(duckdb, plan.rules)) > 0) return undefined;
  const rows = read.groups.reduce((sum, group) => sum + group.rows, 0);
  return preparedOf(plan, { ...read, rows, parquet, columns: csv.columns });
}

/**
 * Throws an ImportError if the columns of the file do not match those of the table.
 * @param isPlain whether the file is read as a plain one, whose times are all found in a table of hours
 */
async function planOf(
  { request, columns, countries, duckdb, now }: Preparing,
  source: readonly SourceColumn[],
  isPlain = false,
): Promise<Plan> {
  const { table } = request;
  const mapped = mapColumns(table, columns, source, request.given);
  const checked = mapped.flatMap((entry) => checkedColumn(entry, Object.keys(countries)));
  const loaded = checked.map(({ entry }) => entry.column.name);
  const areHours = isPlain && checked.some(({ entry }) => entry.kind === "column" && entry.column.name === "time_bucket");
  const rules = rowFaults(table, { countries, now, columns: loaded, areHours, label: (name) => labelOf(name, mapped) });
  return { mapped, checked, constants: await constantFaults(duckdb, checked), rules };
}

/** Returns what is to load. */
function preparedOf(
  { mapped }: Plan,
  file: Pick<Prepared, "parquet" | "rows" | "checksum"> & {
    readonly columns: readonly SourceColumn[];
    readonly groups: readonly BatchGroup[];
  },
): Prepared {
  return {
    parquet: file.parquet,
    columns: mapped.filter(({ kind }) => kind !== "none").map(({ column }) => column),
    origins: mapped.map(originOf),
    batches: batchesOf(file.groups),
    geoTypes: [...new Set(file.groups.flatMap(({ geoTypes }) => geoTypes))],
    rows: file.rows,
    checksum: file.checksum,
    fileColumns: file.columns.map(({ name }) => name),
  };
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

function originOf(entry: Mapped): string {
  const from = entry.kind === "column" ? ` ${entry.source.name}` : entry.kind === "set" ? ` ${entry.value}` : "";
  return `${entry.column.name} ${entry.kind}${from}`;
}
