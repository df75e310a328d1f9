import { symlinkSync } from "node:fs";
import { resolve } from "node:path";
import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { LoadedTable } from "../../shared/products/loaded-tables.ts";
import { type CountedFile, countBytes } from "./byte-counts.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { countFaults } from "./faults.ts";
import { DAYS, dayOfHour, HOURS, makeDays, makeHours } from "./known-times.ts";
import type { Mapped } from "./mapping.ts";
import { isWrittenPlainly, plainBytes } from "./plain-bytes.ts";
import { type PlainColumn, plainColumn } from "./plain-columns.ts";
import { type PlainCsv, stateOf } from "./plain-csv.ts";
import { type BatchGroup, groupRows } from "./row-groups.ts";
import { type CheckedColumn, nameRows } from "./sound-rows.ts";

interface Reading {
  readonly table: LoadedTable;
  readonly csv: PlainCsv;
  readonly duckdb: DuckDbSession;
  readonly mapped: readonly Mapped[];
  readonly checked: readonly CheckedColumn[];
  readonly countries: CountryTable;
  readonly now: Date;
}

/** What is known of a file that was read as a plain one. */
export interface PlainRows {
  readonly groups: readonly BatchGroup[];
  /** SHA-256 of the bytes of the file, hexadecimal. */
  readonly checksum: string;
}

const LINK = "plain.csv";

/**
 * Reads and checks every value of a plain CSV file, and writes the rows as Parquet, in any order; then the view `rows` has them with numbers, `"#"`.
 * Returns undefined for a file of any other form, which says nothing of what is wrong, if anything is.
 *
 * DuckDB's reader parses the whole numbers. It would take other texts for them, too (`3.5`, `1e3`, `0x10`), and a line with too many values. So the
 * bytes of the file are counted meanwhile, and must be those of the rows written plainly.
 */
export async function readPlainRows(reading: Reading, parquet: string): Promise<PlainRows | undefined> {
  const { csv, duckdb } = reading;
  const columns = plainColumns(reading);
  const copy = columns && copyOf(reading, columns, parquet);
  if (!copy) return undefined;
  try {
    // DuckDB takes some characters of a name for a pattern.
    symlinkSync(resolve(csv.path), duckdb.path(LINK));
    const before = await stateOf(csv.path);
    const tables = new Set(columns.map(({ lookup }) => lookup?.table));
    if (tables.has(HOURS)) await makeHours(duckdb, reading.countries, reading.now);
    if (tables.has(DAYS)) await makeDays(duckdb, reading.now);
    const counted = await countWhile(reading, columns, () => copied(duckdb, copy));
    if (!counted) return undefined;
    await nameRows(duckdb, parquet);
    if ((await countFaults(duckdb, unsoundRows(columns))) > 0) return undefined;
    const groups = await grouped(reading, columns);
    if (groups.length === 0 || !isWrittenPlainly(columns, groups, counted) || (await stateOf(csv.path)) !== before) return undefined;
    return { groups, checksum: counted.checksum };
  } catch {
    // Whatever it is, the reading of any file finds it, too.
    return undefined;
  }
}

/** Returns how the columns of the file are read: each is one column of the table. Undefined if one cannot be read as a plain one. */
function plainColumns({ csv, checked, countries }: Reading): readonly PlainColumn[] | undefined {
  const read = checked.filter(({ entry }) => entry.kind === "column");
  const columns = read.flatMap((column) => plainColumn(column, Object.keys(countries)) ?? []);
  const inOrder = csv.columns.flatMap(({ text }) => columns.filter(({ source }) => source === text).slice(0, 1));
  return inOrder.length === csv.columns.length && inOrder.length === read.length ? inOrder : undefined;
}

/** Returns the statement that reads, checks and writes the rows; undefined if the day of an hour is asked for that is none of the file's columns. */
function copyOf({ duckdb, mapped, checked, countries }: Reading, columns: readonly PlainColumn[], parquet: string): string | undefined {
  const values = checked.map(({ entry, value }) => {
    const plain = columns.find(({ name }) => name === entry.column.name);
    return `${plain ? plain.value : value} AS ${quotedIdentifier(entry.column.name)}`;
  });
  if (mapped.some(({ kind }) => kind === "derived")) {
    const hour = columns.find(({ lookup }) => lookup?.table === HOURS)?.lookup;
    const country = checked.find(({ entry }) => entry.column.name === "country_code");
    if (!hour || !country) return undefined;
    const code = columns.find(({ name }) => name === "country_code");
    values.push(`${dayOfHour(hour.row, { code: code?.source ?? country.value, type: code?.type ?? "VARCHAR" }, countries)} AS batch_date`);
  }
  const lookups = columns.flatMap(({ source, lookup }) =>
    lookup ? [`LEFT JOIN ${lookup.table} AS ${lookup.row} ON ${source} = ${lookup.row}.text`] : [],
  );
  return `COPY (SELECT ${values.join(", ")} FROM ${readerOf(duckdb.path(LINK), columns)} ${lookups.join(" ")}) TO ${quotedString(parquet)} (FORMAT parquet)`;
}

/** Returns queries of the rows with an unsound value. DuckDB answers most of them from the least and the greatest values of the file's parts. */
function unsoundRows(columns: readonly PlainColumn[]): string[] {
  return columns.flatMap(({ isUnsound }) => (isUnsound === undefined ? [] : [`SELECT 1 FROM rows WHERE ${isUnsound}`]));
}

function readerOf(path: string, columns: readonly PlainColumn[]): string {
  const types = columns.map(({ source, type }) => `${source}: ${quotedString(type)}`).join(", ");
  return `read_csv(${quotedString(path)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', columns = {${types}})`;
}

async function copied(duckdb: DuckDbSession, copy: string): Promise<void> {
  // The file would be taken for the smaller side of the joins, and be held in memory.
  await duckdb.run("SET disabled_optimizers = 'join_order,build_side_probe_side'");
  try {
    await duckdb.run(copy);
  } finally {
    await duckdb.run("RESET disabled_optimizers");
  }
}

/** Counts the bytes of the file during a query. Either ends the other if it fails. Returns undefined for a byte that plain files do not have. */
async function countWhile(
  { csv, duckdb }: Reading,
  columns: readonly PlainColumn[],
  query: () => Promise<void>,
): Promise<CountedFile | undefined> {
  const failed = new AbortController();
  let isOver = false;
  const running = query()
    .catch((error: unknown) => {
      failed.abort();
      throw error;
    })
    .finally(() => {
      isOver = true;
    });
  const counting = countBytes(csv.path, { skipped: csv.headerBytes, isKnown: plainBytes(columns), signal: failed.signal });
  const watched = counting
    .catch(() => undefined)
    .then((counted) => {
      if (!counted && !isOver) duckdb.interrupt();
      return counted;
    });
  const [counted] = await Promise.all([watched, running]);
  return counted;
}

/** Groups the rows as the bytes of the file tell of them, and as batches. */
function grouped({ duckdb, table }: Reading, columns: readonly PlainColumn[]): Promise<BatchGroup[]> {
  const names = (of: readonly PlainColumn[]): string[] => of.map(({ name }) => quotedIdentifier(name));
  return groupRows(duckdb, table, {
    listed: names(columns.filter(({ listed }) => listed)),
    signed: names(columns.filter(({ isSigned }) => isSigned)),
  });
}
