import { coerce } from "../analyze/coerce.ts";
import type { Env } from "../analyze/env.ts";
import type { Call } from "../parse/ast.ts";
import { quoteText } from "../sql-type.ts";
import { type Implementation, type Library, noMatch } from "./signature.ts";
import { civil, UTC, zoneArgument } from "./time-zone.ts";

/** Date format elements that DuckDB formats as GoogleSQL does. */
const DATE_ELEMENTS: Readonly<Record<string, string>> = {
  "%Y": "%Y",
  "%E4Y": "%Y",
  "%m": "%m",
  "%d": "%d",
  "%F": "%Y-%m-%d",
  "%j": "%j",
  "%y": "%y",
  "%B": "%B",
  "%b": "%b",
  "%A": "%A",
  "%a": "%a",
  "%u": "%u",
  "%V": "%V",
  "%G": "%G",
  "%h": "%b",
  "%D": "%m/%d/%y",
  "%x": "%m/%d/%y",
  "%U": "%U",
  "%W": "%W",
  "%w": "%w",
  "%n": "\n",
  "%t": "\t",
  "%%": "%%",
};

const TIME_ELEMENTS: Readonly<Record<string, string>> = {
  "%H": "%H",
  "%I": "%I",
  "%p": "%p",
  "%M": "%M",
  "%S": "%S",
  "%T": "%H:%M:%S",
  "%R": "%H:%M",
  "%X": "%H:%M:%S",
  "%E0S": "%S",
  "%E3S": "%S.%g",
  "%E6S": "%S.%f",
};

type Piece = { readonly kind: "format"; readonly text: string } | { readonly kind: "sql"; readonly text: string };

/** Date elements that need more than strftime. */
const OF_DATE: Readonly<Record<string, (local: string) => string>> = {
  "%Q": (local) => `CAST(quarter(${local}) AS VARCHAR)`,
  "%e": (local) => `lpad(CAST(day(${local}) AS VARCHAR), 2, ' ')`,
  "%C": (local) => `lpad(CAST(year(${local}) // 100 AS VARCHAR), 2, '0')`,
  "%g": (local) => `right(strftime(${local}, '%G'), 2)`,
};

/** Time elements that need more than strftime. */
const OF_TIME: Readonly<Record<string, (local: string) => string>> = {
  "%k": (local) => `lpad(CAST(hour(${local}) AS VARCHAR), 2, ' ')`,
  "%l": (local) => `lpad(CAST((hour(${local}) + 11) % 12 + 1 AS VARCHAR), 2, ' ')`,
  "%P": (local) => `lower(strftime(${local}, '%p'))`,
  "%E*S": (local) => `bq_trimmed_fraction(${local})`,
  ...Object.fromEntries(
    [1, 2, 4, 5].map((digits) => [`%E${digits}S`, (local: string) => `left(strftime(${local}, '%S.%f'), ${3 + digits})`]),
  ),
};

/** Elements of both. */
const OF_BOTH: Readonly<Record<string, (local: string) => string>> = {
  "%s": (local) => `CAST(bq_floor_div(epoch_us(${local}), 1000000) AS VARCHAR)`,
  "%c": (local) => `(strftime(${local}, '%a %b ') || lpad(CAST(day(${local}) AS VARCHAR), 2, ' ') || strftime(${local}, ' %H:%M:%S %Y'))`,
};

/** Elements of an instant in a zone. */
const OF_INSTANT: Readonly<Record<string, (instant: string, zone: string) => string>> = {
  "%s": (instant) => `CAST(bq_floor_div(epoch_us(${instant}), 1000000) AS VARCHAR)`,
  "%Z": (instant, zone) => `bq_zone_name(${instant}, ${zone})`,
  "%Ez": (instant, zone) => `bq_offset(${instant}, ${zone})`,
  "%z": (instant, zone) => `replace(bq_offset(${instant}, ${zone}), ':', '')`,
};

function pieces(call: Call, env: Env, format: string, element: (text: string) => Piece | undefined): Piece[] {
  return (format.match(/%E(?:\d|\*)?[A-Za-z]|%.|[^%]+|%/gs) ?? []).map((text): Piece => {
    if (!text.startsWith("%")) return { kind: "format", text };
    const piece = element(text);
    if (!piece) throw env.context.fail(call.at, `Format element ${text} of ${call.name} is not supported by the local BigQuery`);
    return piece;
  });
}

function joined(parts: readonly Piece[], local: string): string {
  const texts: string[] = [];
  let format = "";
  const flush = () => {
    if (format !== "") texts.push(`strftime(${local}, ${quoteText(format)})`);
    format = "";
  };
  for (const part of parts) {
    if (part.kind === "format") format += part.text;
    else {
      flush();
      texts.push(part.text);
    }
  }
  flush();
  return texts.length === 0 ? `CASE WHEN ${local} IS NOT NULL THEN '' END` : `(${texts.join(" || ")})`;
}

function literalFormat(call: Call, env: Env): string {
  const format = call.args[0] && env.value(call.args[0]);
  if (format?.literal?.type === "STRING") return format.literal.text;
  throw env.context.fail(call.at, `${call.name} with a format that is not a literal is not supported by the local BigQuery`);
}

const formatTimestamp: Implementation = (call, env) => {
  const [, second, third] = call.args;
  const value = second && env.value(second);
  const instant = value && coerce(value, "TIMESTAMP");
  if (instant === undefined || call.args.length > 3) throw noMatch(call, env, value ? [value] : []);
  const zone = third ? zoneArgument(third, env) : UTC;
  const local = civil(instant, zone);
  const parts = pieces(call, env, literalFormat(call, env), (text) => {
    const computed = OF_INSTANT[text]?.(instant, zone) ?? ofCivil(text)?.(local);
    return computed === undefined ? plainElement(text, true, true) : { kind: "sql", text: computed };
  });
  return { sql: joined(parts, local), type: "STRING", at: call.at };
};

function ofCivil(text: string): ((local: string) => string) | undefined {
  return OF_DATE[text] ?? OF_TIME[text] ?? OF_BOTH[text];
}

function plainElement(text: string, date: boolean, time: boolean): Piece | undefined {
  const known = (date ? DATE_ELEMENTS[text] : undefined) ?? (time ? TIME_ELEMENTS[text] : undefined) ?? (text === "%%" ? text : undefined);
  return known === undefined ? undefined : { kind: "format", text: known };
}

/** FORMAT_DATETIME and FORMAT_TIME. */
function formatCivil(type: "DATETIME" | "TIME"): Implementation {
  return (call, env) => {
    const [, second] = call.args;
    const value = second && env.value(second);
    const sql = value && coerce(value, type);
    if (sql === undefined || call.args.length !== 2) throw noMatch(call, env, value ? [value] : []);
    const isDate = type === "DATETIME";
    const local = isDate ? sql : `make_timestamp(epoch_us(${sql}))`;
    const parts = pieces(call, env, literalFormat(call, env), (text) => {
      const computed = isDate ? ofCivil(text) : OF_TIME[text];
      return computed ? { kind: "sql", text: computed(local) } : plainElement(text, isDate, true);
    });
    return { sql: joined(parts, local), type: "STRING", at: call.at };
  };
}

const formatDate: Implementation = (call, env) => {
  const [, second] = call.args;
  const value = second && env.value(second);
  const date = value && coerce(value, "DATE");
  if (date === undefined || call.args.length !== 2) throw noMatch(call, env, value ? [value] : []);
  const parts = pieces(call, env, literalFormat(call, env), (text) => {
    const computed = OF_DATE[text];
    return computed ? { kind: "sql", text: computed(date) } : plainElement(text, true, false);
  });
  return { sql: joined(parts, date), type: "STRING", at: call.at };
};

export const FORMAT: Library = {
  FORMAT_TIMESTAMP: formatTimestamp,
  FORMAT_DATE: formatDate,
  FORMAT_DATETIME: formatCivil("DATETIME"),
  FORMAT_TIME: formatCivil("TIME"),
};
