import { invalid } from "./refusal.ts";
import type { Fields, Mask, Value } from "./wire.ts";

/** Returns the segments of a path such as `a.b`, or of one with `` `quoted segments` ``. Throws INVALID_ARGUMENT. */
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

/** Returns the value at a path, or undefined if there is none. */
export function valueAt(fields: Fields, path: readonly string[]): Value | undefined {
  let inside = fields;
  for (const [index, key] of path.entries()) {
    // Own keys only: a field may have the name of an object method.
    const value = Object.hasOwn(inside, key) ? inside[key] : undefined;
    if (value === undefined || index === path.length - 1) return value;
    if (value.valueType !== "mapValue") return undefined;
    inside = value.mapValue.fields;
  }
  return undefined;
}

/** Returns the fields with a value set at a path, or removed if it is undefined. Does not modify the old fields. */
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

/** Returns the fields of a mask, or all fields without a mask. */
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
