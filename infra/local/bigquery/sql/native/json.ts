import { VARCHAR } from "@duckdb/node-api";
import type { Cell, NativeFunction } from "./register.ts";

/** A number keeps its text: JSON_VALUE returns `1.50` for 1.50. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const RawJson = (text: string): unknown =>
  JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value,
  );

function step(value: unknown, key: unknown): unknown {
  if (typeof key === "number") return Array.isArray(value) ? value[key] : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof NumberText) return undefined;
  return new Map<unknown, unknown>(Object.entries(value)).get(key);
}

/** Returns what is at a path, given as a JSON list of names and indexes. Undefined if the text is no JSON or nothing is there. */
function found(json: string, path: string): unknown {
  const steps: unknown = JSON.parse(path);
  try {
    return Array.isArray(steps) ? steps.reduce(step, RawJson(json)) : undefined;
  } catch {
    return undefined;
  }
}

function written(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`)
    .join(",")}}`;
}

function scalar(json: string, path: string): Cell {
  const value = found(json, path);
  if (value instanceof NumberText) return value.text;
  return typeof value === "string" || typeof value === "boolean" ? String(value) : null;
}

function part(json: string, path: string): Cell {
  const value = found(json, path);
  return value === undefined || value === null ? null : written(value);
}

function ofPath(name: string, of: (json: string, path: string) => Cell): NativeFunction {
  return { name, parameterTypes: [VARCHAR, VARCHAR], returnType: VARCHAR, of: (json, path) => of(String(json), String(path)) };
}

/** JSON_VALUE and JSON_QUERY of a text. */
export const JSON_AT_PATH: readonly NativeFunction[] = [ofPath("bq_json_value", scalar), ofPath("bq_json_query", part)];
