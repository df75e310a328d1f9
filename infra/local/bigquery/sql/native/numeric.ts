import { VARCHAR } from "@duckdb/node-api";
import type { NativeFunction } from "./register.ts";

/** A NUMERIC is a whole number of billionths, of 38 digits at most. */
const ONE = 10n ** 9n;
const BEYOND = 10n ** 38n;

/** Reads DuckDB's text of a DECIMAL(38,9), which always has nine decimals. */
function billionths(text: string): bigint {
  return BigInt(text.replace(".", ""));
}

function shown(text: string): string {
  return text.replace(/\.?0+$/, "");
}

/** A quotient rounded half away from zero. */
function rounded(dividend: bigint, divisor: bigint): bigint {
  const magnitude = (value: bigint) => (value < 0n ? -value : value);
  const quotient = (magnitude(dividend) * 2n + magnitude(divisor)) / (magnitude(divisor) * 2n);
  return dividend < 0n === divisor < 0n ? quotient : -quotient;
}

function written(value: bigint, operation: string): string {
  const magnitude = value < 0n ? -value : value;
  if (magnitude >= BEYOND) throw new Error(`numeric overflow: ${operation}`);
  return `${value < 0n ? "-" : ""}${magnitude / ONE}.${String(magnitude % ONE).padStart(9, "0")}`;
}

function times(left: string, right: string): string {
  return written(rounded(billionths(left) * billionths(right), ONE), `${shown(left)} * ${shown(right)}`);
}

function over(left: string, right: string): string {
  const divisor = billionths(right);
  if (divisor === 0n) throw new Error(`division by zero: ${shown(left)} / ${shown(right)}`);
  return written(rounded(billionths(left) * ONE, divisor), `${shown(left)} / ${shown(right)}`);
}

function ofTexts(name: string, of: (left: string, right: string) => string): NativeFunction {
  return { name, parameterTypes: [VARCHAR, VARCHAR], returnType: VARCHAR, of: (left, right) => of(String(left), String(right)) };
}

/** The product and the quotient of two NUMERIC, as texts: DuckDB's have other digits, and overflow between. */
export const NUMERIC_ARITHMETIC: readonly NativeFunction[] = [ofTexts("bq_numeric_product", times), ofTexts("bq_numeric_quotient", over)];
