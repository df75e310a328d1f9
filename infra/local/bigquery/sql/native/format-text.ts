import { BIGINT, DOUBLE, VARCHAR } from "@duckdb/node-api";
import type { NativeFunction } from "./register.ts";

/** A conversion of FORMAT: `%-8.2f` has the flag `-`, width 8, precision 2 and the letter `f`. */
interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

function conversionOf(text: string): Conversion {
  const [, flags = "", width = "", , precision, letter = ""] = /^%([-+ 0#']*)(\d*)(\.(\d*))?([a-zA-Z])$/.exec(text) ?? [];
  return { flags, width: Number(width), precision: precision === undefined ? undefined : Number(precision), letter };
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Puts sign and digits into the width: blanks before, after with `-`, or zeros between with `0`. */
function aligned(sign: string, digits: string, { flags, width }: Conversion, zeros: boolean): string {
  const room = width - sign.length - [...digits].length;
  if (room <= 0) return sign + digits;
  if (flags.includes("-")) return sign + digits + " ".repeat(room);
  return zeros && flags.includes("0") ? sign + "0".repeat(room) + digits : " ".repeat(room) + sign + digits;
}

function signOf(negative: boolean, flags: string): string {
  if (negative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function formatInteger(value: bigint, conversion: Conversion): string {
  const { flags, precision, letter } = conversion;
  const magnitude = value < 0n ? -value : value;
  const radix = letter === "o" ? 8 : letter.toLowerCase() === "x" ? 16 : 10;
  const digits = magnitude.toString(radix).padStart(precision ?? 0, "0");
  const cased = letter === "X" ? digits.toUpperCase() : digits;
  return aligned(signOf(value < 0n, flags), flags.includes("'") ? grouped(cased) : cased, conversion, precision === undefined);
}

/** C rounds an exact half to the even digit, JavaScript up. `exact` has all the digits that `rounded` leaves out. */
function halfToEven(exact: string, rounded: string, precision: number): string {
  const point = exact.indexOf(".");
  const end = precision === 0 ? point : point + 1 + precision;
  const isHalf = /^\.?50*$/.test(exact.slice(end));
  return isHalf && "02468".includes(exact.slice(0, end).at(-1) ?? "") ? exact.slice(0, end) : rounded;
}

function fixed(magnitude: number, precision: number): string {
  if (magnitude < 1e21) return halfToEven(magnitude.toFixed(Math.min(100, precision + 50)), magnitude.toFixed(precision), precision);
  return `${BigInt(magnitude)}${precision === 0 ? "" : `.${"0".repeat(precision)}`}`;
}

function exponential(magnitude: number, precision: number): string {
  const [exact = "", power = ""] = magnitude.toExponential(Math.min(100, precision + 50)).split("e");
  const rounded = magnitude.toExponential(precision);
  const even = halfToEven(exact, rounded, precision);
  return (even === rounded ? rounded : `${even}e${power}`).replace(/e([+-])(\d)$/, "e$10$2");
}

function shortest(magnitude: number, precision: number): string {
  const digits = Math.max(1, precision);
  const power = magnitude === 0 ? 0 : Number(magnitude.toExponential(digits - 1).split("e")[1]);
  const strip = (text: string) => (text.includes(".") ? text.replace(/\.?0+(?=e|$)/, "") : text);
  return strip(power < -4 || power >= digits ? exponential(magnitude, digits - 1) : fixed(magnitude, digits - 1 - power));
}

function formatFloat(value: number, conversion: Conversion): string {
  const { flags, precision = 6, letter } = conversion;
  const upper = letter === letter.toUpperCase();
  const sign = signOf(value < 0 || Object.is(value, -0), flags);
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "nan" : "inf";
    return aligned(Number.isNaN(value) ? "" : sign, upper ? name.toUpperCase() : name, conversion, false);
  }
  const form = { f: fixed, e: exponential, g: shortest }[letter.toLowerCase()] ?? fixed;
  const text = form(Math.abs(value), Math.min(100, precision));
  const [whole = "", ...rest] = text.split(/(?=[.e])/);
  const digits = flags.includes("'") ? [grouped(whole), ...rest].join("") : text;
  return aligned(sign, upper ? digits.toUpperCase() : digits, conversion, true);
}

/** `%s` and `%t`: the precision cuts the text. */
function formatString(value: string, conversion: Conversion): string {
  const characters = [...value];
  return aligned("", characters.slice(0, conversion.precision ?? characters.length).join(""), conversion, false);
}

export const FORMAT_TEXT: readonly NativeFunction[] = [
  {
    name: "bq_format_int",
    parameterTypes: [BIGINT, VARCHAR],
    returnType: VARCHAR,
    of: (value, conversion) => formatInteger(BigInt(value), conversionOf(String(conversion))),
  },
  {
    name: "bq_format_float",
    parameterTypes: [DOUBLE, VARCHAR],
    returnType: VARCHAR,
    of: (value, conversion) => formatFloat(Number(value), conversionOf(String(conversion))),
  },
  {
    name: "bq_format_text",
    parameterTypes: [VARCHAR, VARCHAR],
    returnType: VARCHAR,
    of: (value, conversion) => formatString(String(value), conversionOf(String(conversion))),
  },
];
