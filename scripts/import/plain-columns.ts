import { quotedIdentifier, quotedString } from "@duckdb/node-api";
import { isSigned, listedValues } from "./checks.ts";
import { DAYS, HOURS } from "./known-times.ts";
import type { CheckedColumn } from "./sound-rows.ts";

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
  readonly isSound: string;
  readonly value: string;
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
  if (listed) {
    const texts = `ENUM(${listed.map(quotedString).join(", ")})`;
    return { name, source, type: texts, listed, isSound: `${source} IS NOT NULL`, value: source, marks: "" };
  }
  if (type === "INT64" && plain)
    return { name, source, type: "BIGINT", isSigned: isSigned(name), isSound: plain.isInRange(source), value: source, marks: "" };
  if (type !== "DATE" && type !== "TIMESTAMP") return undefined;
  const row = quotedIdentifier(`${name}#`);
  const lookup = { table: type === "DATE" ? DAYS : HOURS, row };
  const value = `${row}.value`;
  return { name, source, type: "VARCHAR", isSound: `${value} IS NOT NULL`, value, lookup, marks: type === "DATE" ? "--" : "--T::Z" };
}
