import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { Check } from "./checks.ts";
import { civilDayOf } from "./civil-days.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import type { Mapped } from "./mapping.ts";
import type { Source } from "./source.ts";

/** A column of the rows with the check of its values. */
export interface CheckedColumn extends Check {
  readonly entry: Extract<Mapped, { kind: "column" | "set" }>;
}

interface Reading {
  readonly source: Source;
  readonly duckdb: DuckDbSession;
  readonly mapped: readonly Mapped[];
  readonly checked: readonly CheckedColumn[];
  readonly countries: CountryTable;
  readonly now: Date;
}

const Counted = v.tuple([v.object({ rows: v.pipe(v.string(), v.transform(Number)) })]);
/** Ends a query. */
export const UNSOUND = "error('a value is unsound')";

/**
 * Reads and checks every value of a file in one pass over it, on all processors, and writes the rows as Parquet. Returns whether each value is
 * right in itself; then the view `rows` has the rows with their numbers, `"#"`. It says nothing of what is wrong.
 */
export async function readSoundRows(reading: Reading, parquet: string): Promise<boolean> {
  const { source, duckdb, mapped, checked, countries, now } = reading;
  if (source.malformed.total > 0) return false;
  const hasDay = mapped.some(({ kind }) => kind === "derived");
  const texts = checked.flatMap(({ entry }) =>
    entry.kind === "column" ? [`${entry.source.text} AS ${quotedIdentifier(entry.column.name)}`] : [],
  );
  const parsed = checked.flatMap(({ entry, plain }) =>
    plain && entry.kind === "column" ? [`${plain.parsed} AS ${parsedName(entry.column.name)}`] : [],
  );
  const day = hasDay ? `, ${await civilDayOf(duckdb, countries, now)} AS batch_date` : "";
  const file = quotedString(parquet);
  try {
    await duckdb.run(`COPY (SELECT *${day} FROM (
      SELECT ${checked.map(soundValue).join(", ")} FROM (
        SELECT ${["*", ...parsed].join(", ")} FROM (SELECT ${texts.join(", ")} FROM ${source.parallelRelation})
      )
    )) TO ${file} (FORMAT parquet)`);
  } catch {
    // Whatever it is, the reading that lists all errors finds it, too.
    return false;
  }
  const [{ rows }] = v.parse(Counted, await duckdb.rows(`SELECT count(*) AS rows FROM read_parquet(${file})`));
  if (rows !== source.rows) return false;
  await nameRows(duckdb, parquet);
  return true;
}

/** Makes the view `rows` of a Parquet file: its rows with their numbers in it, `"#"`, from 1. */
export async function nameRows(duckdb: DuckDbSession, parquet: string): Promise<void> {
  await duckdb.run(
    `CREATE OR REPLACE VIEW rows AS SELECT file_row_number + 1 AS "#", * EXCLUDE (file_row_number)
      FROM read_parquet(${quotedString(parquet)}, file_row_number = true)`,
  );
}

function parsedName(column: string): string {
  return quotedIdentifier(`${column}#`);
}

/** Returns a column of sound values. A faulty value ends the query. */
function soundValue({ entry, fault, value, plain }: CheckedColumn): string {
  const name = quotedIdentifier(entry.column.name);
  // The values of `--set` are checked before.
  if (entry.kind === "set") return `${value} AS ${name}`;
  const checked = `WHEN (${fault}) IS NULL THEN ${value} ELSE ${UNSOUND} END AS ${name}`;
  if (!plain) return `CASE ${checked}`;
  const of = parsedName(entry.column.name);
  return `CASE WHEN ${plain.isSound(of)} THEN ${plain.value(of)} ${checked}`;
}
