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
  "%E3S": "%S.%g",
  "%E6S": "%S.%f",
};

type Piece = { readonly kind: "format"; readonly text: string } | { readonly kind: "sql"; readonly text: string };

/** Elements that need more than strftime: computed from the civil time, the instant and the zone. */
const COMPUTED: Readonly<Record<string, (local: string, instant: string, zone: string) => string>> = {
  "%E*S": (local) => `bq_trimmed_fraction(${local})`,
  "%Ez": (_local, instant, zone) => `bq_offset(${instant}, ${zone})`,
  "%z": (_local, instant, zone) => `replace(bq_offset(${instant}, ${zone}), ':', '')`,
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
    const computed = COMPUTED[text];
    if (computed) return { kind: "sql", text: computed(local, instant, zone) };
    const known = DATE_ELEMENTS[text] ?? TIME_ELEMENTS[text];
    return known === undefined ? undefined : { kind: "format", text: known };
  });
  return { sql: joined(parts, local), type: "STRING", at: call.at };
};

const formatDate: Implementation = (call, env) => {
  const [, second] = call.args;
  const value = second && env.value(second);
  const date = value && coerce(value, "DATE");
  if (date === undefined || call.args.length !== 2) throw noMatch(call, env, value ? [value] : []);
  const parts = pieces(call, env, literalFormat(call, env), (text) => {
    const known = DATE_ELEMENTS[text];
    return known === undefined ? undefined : { kind: "format", text: known };
  });
  return { sql: joined(parts, date), type: "STRING", at: call.at };
};

export const FORMAT: Library = { FORMAT_TIMESTAMP: formatTimestamp, FORMAT_DATE: formatDate };
