import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import { isSigned, listedValues } from "./checks.ts";
import { DAYS, HOURS } from "./known-times.ts";
import { type CheckedColumn, UNSOUND } from "./sound-rows.ts";

/** How a column of a plain CSV file is read. The members are DuckDB expressions. */
export interface PlainColumn {
  /** The column's name in the table. */
  readonly name: string;
  /** The column's name in the reader. */
  readonly source: string;
  /** The type that the reader makes of a text. */
  readonly type: string;
  /** Whether sound values may be negative. */
  readonly isSigned?: boolean;
  /** The only texts that it may have, if there is a list of them. */
  readonly listed?: readonly string[];
  /** The value of a row. A text that is not in the table that it is looked up in ends the query. */
  readonly value: string;
  /** Whether the value of a row that was read is none that it may have, by the column's name in the table; absent if `value` tells. */
  readonly isUnsound?: string;
  /** The table that a text is looked up in, and the name of that table's row. */
  readonly lookup?: { readonly table: string; readonly row: string };
  /** What each sound text has besides digits, and besides the minus sign of a negative number. Of listed texts each has its own. */
  readonly marks: string;
}

/**
 * Returns how a column is read whose values, in plain files, are whole numbers, days, hours, or from a list. Undefined for others, whose texts may
 * have any bytes.
 */
export function plainColumn({ entry, plain }: CheckedColumn, countries: readonly string[]): PlainColumn | undefined {
  if (entry.kind !== "column") return undefined;
  const { name, type } = entry.column;
  const source = entry.source.text;
  const listed = listedValues(entry.column, countries);
  const read = quotedIdentifier(name);
  if (listed) return { name, source, type: enumOf(listed), listed, isUnsound: `${read} IS NULL`, value: source, marks: "" };
  if (type === "INT64" && plain) {
    const isUnsound = `${read} IS NULL OR NOT (${plain.isInRange(read)})`;
    return { name, source, type: "BIGINT", isSigned: isSigned(name), isUnsound, value: source, marks: "" };
  }
  if (type !== "DATE" && type !== "TIMESTAMP") return undefined;
  const row = quotedIdentifier(`${name}#`);
  const lookup = { table: type === "DATE" ? DAYS : HOURS, row };
  const value = `CASE WHEN ${row}.value IS NOT NULL THEN ${row}.value ELSE ${UNSOUND} END`;
  return { name, source, type: "VARCHAR", value, lookup, marks: type === "DATE" ? "--" : "--T::Z" };
}

/** Returns the DuckDB type of texts from a list. */
function enumOf(texts: readonly string[]): string {
  return `ENUM(${texts.map(quotedString).join(", ")})`;
}
