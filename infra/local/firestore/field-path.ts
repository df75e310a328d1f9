import { invalid } from "./refusal.ts";
import type { Fields, Mask, Value } from "./wire.ts";

/** The segments of `a.b` or of a path with `` `quoted segments` ``; throws INVALID_ARGUMENT. */
export function parseFieldPath(path: string): readonly string[] {
  const segments: string[] = [];
  const segment = /(?:([A-Za-z_][A-Za-z0-9_]*)|`((?:[^`\\]|\\.)+)`)(\.|$)/sy;
  while (segment.lastIndex < path.length) {
    const match = segment.exec(path);
    if (match === null) throw invalid(`Invalid property path "${path}".`);
    segments.push(match[1] ?? (match[2] ?? "").replace(/\\(.)/gs, "$1"));
    if (match[3] === "") return segments;
  }
  throw invalid(`Invalid property path "${path}".`);
}

/** The value at a path; undefined where there is none. */
export function valueAt(fields: Fields, path: readonly string[]): Value | undefined {
  let inside = fields;
  for (const [index, key] of path.entries()) {
    // Own keys only: a field may be named like a method of every object.
    const value = Object.hasOwn(inside, key) ? inside[key] : undefined;
    if (value === undefined || index === path.length - 1) return value;
    if (value.valueType !== "mapValue") return undefined;
    inside = value.mapValue.fields;
  }
  return undefined;
}

/** The fields with the value put at a path (undefined: taken away); what is shared with the old fields is not changed. */
export function withValueAt(fields: Fields, path: readonly string[], value: Value | undefined): Fields {
  const [key, ...rest] = path;
  if (key === undefined) return fields;
  const inside = Object.hasOwn(fields, key) ? fields[key] : undefined;
  const inner = inside?.valueType === "mapValue" ? inside.mapValue.fields : undefined;
  if (rest.length > 0) {
    if (value === undefined && inner === undefined) return fields;
    const changed = withValueAt(inner ?? {}, rest, value);
    return { ...fields, [key]: { valueType: "mapValue", mapValue: { fields: changed } } };
  }
  if (value !== undefined) return { ...fields, [key]: value };
  const { [key]: _gone, ...others } = fields;
  return others;
}

/** Only the fields of a mask; all of them without one. */
export function project(fields: Fields, mask: Mask | null): Fields {
  if (mask === null) return fields;
  let kept: Fields = {};
  for (const fieldPath of mask.fieldPaths) {
    if (fieldPath === "__name__") continue;
    const path = parseFieldPath(fieldPath);
    const value = valueAt(fields, path);
    if (value !== undefined) kept = withValueAt(kept, path, value);
  }
  return kept;
}
