import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { faultColumns, findFaults } from "./faults.ts";
import { badFile, ImportError, joinFaults } from "./import-error.ts";
import type { Mapped } from "./mapping.ts";
import { dayOfBucket } from "./row-faults.ts";
import type { CheckedColumn } from "./sound-rows.ts";
import type { Source } from "./source.ts";

interface Reading {
  readonly source: Source;
  readonly duckdb: DuckDbSession;
  readonly mapped: readonly Mapped[];
  readonly checked: readonly CheckedColumn[];
  readonly countries: CountryTable;
  /** The name of the file for messages. */
  readonly file: string;
}

const Counted = v.tuple([v.object({ rows: v.pipe(v.string(), v.transform(Number)) })]);

/**
 * Reads a file that `readSoundRows` has not taken, with the text and the number of each row. Throws an ImportError that lists the errors of all
 * kinds. If there are none, makes the table `rows`.
 * @param constants what is wrong with the values of `--set`
 * @param rules queries of what is wrong between the values of `rows`
 */
export async function readFaultyRows(reading: Reading, constants: readonly string[], rules: readonly string[]): Promise<void> {
  const { source, duckdb, mapped, checked, countries, file } = reading;
  await duckdb.run("DROP VIEW IF EXISTS rows");
  await readSource(reading);
  const values = await findFaults(source, duckdb, checked.flatMap(columnFaults));
  const isSound = constants.length === 0 && values.total === 0;
  // A faulty value becomes NULL, which no rule between values reports: only what is wrong besides.
  const columnsOf = ({ entry, value, fault }: CheckedColumn): string =>
    `${isSound ? value : `CASE WHEN (${fault}) IS NULL THEN ${value} END`} AS ${quotedIdentifier(entry.column.name)}`;
  await duckdb.run(`CREATE TABLE rows AS SELECT *${dayColumn(mapped, countries)} FROM (
    SELECT "#", ${checked.map(columnsOf).join(", ")} FROM source)`);
  const faults = joinFaults([source.malformed, values, await findFaults(source, duckdb, rules)]);
  if (constants.length > 0 || faults.total > 0)
    throw new ImportError([...constants, ...(faults.total > 0 ? [badFile(file, faults).message] : [])].join("\n"));
}

/** Copies the needed columns as text, with row numbers, so that the file is read only once. */
async function readSource({ source, duckdb, mapped, file }: Reading): Promise<void> {
  const columns = mapped.flatMap((entry) =>
    entry.kind === "column" ? [`, ${entry.source.text} AS ${quotedIdentifier(entry.column.name)}`] : [],
  );
  await duckdb.run(`CREATE TABLE source AS SELECT row_number() OVER () AS "#"${columns.join("")} FROM ${source.relation}`);
  const [{ rows }] = v.parse(Counted, await duckdb.rows("SELECT count(*) AS rows FROM source"));
  if (rows !== source.rows) throw new ImportError(`${file} changed during the import: ${source.rows} rows, then ${rows}`);
}

function columnFaults({ entry, fault }: CheckedColumn): string[] {
  if (entry.kind !== "column") return [];
  const value = quotedIdentifier(entry.column.name);
  const label = quotedString(labelOf(entry.column.name, [entry]));
  return [
    `SELECT ${faultColumns({ row: '"#"', column: label, value, says: "says" })} FROM (SELECT *, ${fault} AS says FROM source) WHERE says IS NOT NULL`,
  ];
}

function dayColumn(mapped: readonly Mapped[], countries: CountryTable): string {
  return mapped.some(({ kind }) => kind === "derived") ? `, ${dayOfBucket(countries)} AS batch_date` : "";
}

/** Returns a column's name for messages, followed by its name in the file if that differs. */
export function labelOf(name: string, mapped: readonly Mapped[]): string {
  const entry = mapped.find(({ column }) => column.name === name);
  return entry?.kind === "column" && entry.source.name !== name ? `${name} (${entry.source.name})` : name;
}
