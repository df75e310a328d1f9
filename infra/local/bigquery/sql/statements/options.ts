import { BigQueryError } from "../../model.ts";
import type { OptionItem } from "../parse/statement-ast.ts";

type OptionKind = "STRING" | "BOOL" | "NUMBER";

/** The values of OPTIONS by their names. */
export type Options = ReadonlyMap<string, string | boolean | number>;

function optionValue({ value, name }: OptionItem, kind: OptionKind): string | boolean | number | undefined {
  if (value.kind !== "literal") throw new BigQueryError("invalidQuery", `Option ${name} must be a literal`, "query");
  if (value.type === "NULL") return undefined;
  if (kind === "STRING" && value.type === "STRING") return value.text;
  if (kind === "BOOL" && value.type === "BOOL") return value.text === "TRUE";
  if (kind === "NUMBER" && (value.type === "INT64" || value.type === "FLOAT64")) return Number(value.text);
  throw new BigQueryError("invalidQuery", `Option ${name} has a value of a wrong type`, "query");
}

/** Parses OPTIONS against the known names and types. Throws on unknown and duplicate options. */
export function readOptions(items: readonly OptionItem[], known: Readonly<Record<string, OptionKind>>, what: string): Options {
  const options = new Map<string, string | boolean | number>();
  for (const item of items) {
    const kind = Object.hasOwn(known, item.name) ? known[item.name] : undefined;
    if (!kind) throw new BigQueryError("invalidQuery", `Unknown option for ${what}: ${item.name}`, "query");
    if (options.has(item.name)) throw new BigQueryError("invalidQuery", `Duplicate option specified for '${item.name}'`, "query");
    const value = optionValue(item, kind);
    if (value !== undefined) options.set(item.name, value);
  }
  return options;
}

export function textOption(options: Options, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === "string" ? value : undefined;
}

/** Returns a number of days as milliseconds. */
export function daysOption(options: Options, name: string): number | undefined {
  const value = options.get(name);
  return typeof value === "number" ? Math.round(value * 86_400_000) : undefined;
}
