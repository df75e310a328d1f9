import * as v from "valibot";
import type { Field } from "../model.ts";
import { dateTimeText, type TimestampFormat } from "./cells.ts";

const CellSchema = v.object({ v: v.unknown() });
const RowSchema = v.object({ f: v.array(CellSchema) });

/** Converts stored rows, which hold microseconds, to the timestamp format that a client requested. */
export function withTimestamps(rows: readonly string[], fields: readonly Field[], format: TimestampFormat): readonly string[] {
  if (format === "INT64" || !fields.some(holdsTimestamp)) return rows;
  return rows.map((row) => JSON.stringify(convertRow(fields, JSON.parse(row), format)));
}

function holdsTimestamp(field: Field): boolean {
  return field.type === "TIMESTAMP" || (field.fields ?? []).some(holdsTimestamp);
}

function convertRow(fields: readonly Field[], row: unknown, format: TimestampFormat): object {
  return { f: v.parse(RowSchema, row).f.map((cell, index) => ({ v: convertCell(fields[index], cell.v, format) })) };
}

function convertCell(field: Field | undefined, value: unknown, format: TimestampFormat): unknown {
  if (field === undefined || value === null || !holdsTimestamp(field)) return value;
  if (field.mode === "REPEATED") {
    const item: Field = { ...field, mode: "NULLABLE" };
    return v.parse(v.array(CellSchema), value).map((cell) => ({ v: convertCell(item, cell.v, format) }));
  }
  if (field.type === "RECORD") return convertRow(field.fields ?? [], value, format);
  const micros = BigInt(String(value));
  return format === "FLOAT64" ? secondsText(micros) : `${dateTimeText(micros)}Z`;
}

/** Formats seconds in the old format, for example `1.7356896E9`. */
function secondsText(micros: bigint): string {
  const [mantissa = "0", exponent = "0"] = (Number(micros) / 1e6).toExponential().split("e");
  return `${mantissa.includes(".") ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
