import * as v from "valibot";
import type { Endpoint } from "../../shared/http/define-endpoint.ts";
import type { Schema } from "../../shared/http/schema.ts";
import type { Shape } from "../../shared/http/unknown-fields.ts";

/** Well-formed unknown ids, one of each kind in paths. */
const IDS = ["00000000-0000-4000-8000-000000000000", "00000000000000000000", "nobody1234"];

/** Returns an endpoint's path with a value for each parameter: from `given`, else the first id that its schema accepts. */
export function pathOf({ path, params }: Endpoint, given: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => given[name] ?? IDS.find((id) => takes(params, name, id)) ?? "x");
}

/** Returns the names of a path's parameters. */
export function parametersOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
}

function takes(params: Schema, name: string, id: string): boolean {
  return !(v.safeParse(params, { [name]: id }).issues ?? []).some((issue) => v.getDotPath(issue) === name);
}

/** Values of which one fits any field but those that have their own: an `end_time` must be after a `start_time`, a `geometry` a polygon. */
const VALUES = ["2026-11-01", "trips", true, [1], 1, "24.7", "1", ...IDS];
const OWN_VALUES = new Map([
  ["end_time", "2026-11-02"],
  ["geometry", "POLYGON((24 59, 24.1 59, 24.1 59.1, 24 59))"],
]);

function sampleValue(name: string, schema: Schema): unknown {
  const named = "literal" in schema ? [schema.literal] : "options" in schema && Array.isArray(schema.options) ? schema.options : [];
  return OWN_VALUES.get(name) ?? [...named, ...VALUES].find((value) => v.is(schema, value));
}

/** Returns an object with every required member of a shape, and members that the whole schema still requires, such as one of two names. */
export function sampleOf(whole: Schema, shape: Shape): Record<string, unknown> {
  const required = Object.entries(shape).filter(([, { type }]) => !["optional", "exact_optional", "nullish"].includes(type));
  const sample = Object.fromEntries(required.map(([name, schema]) => [name, sampleValue(name, schema)]));
  const missed = (v.safeParse(whole, sample).issues ?? []).map((issue) => v.getDotPath(issue) ?? "");
  const added = Object.entries(shape).filter(([name]) => missed.includes(name));
  return { ...sample, ...Object.fromEntries(added.map(([name, schema]) => [name, sampleValue(name, schema)])) };
}
