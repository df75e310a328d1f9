import { normalised } from "./shape.ts";

/**
 * Compares JSON that a page shows with real JSON by shape. Returns the first difference, undefined if there is none.
 *
 * Objects must have the same members, values the same types, texts the same words. A text `"…"` stands for any text. A member `"…"` stands
 * for further members, an element `"…"` for further elements; otherwise each element of either list must be like one of the other.
 */
export function jsonDifference(shown: unknown, actual: unknown, path = "$"): string | undefined {
  if (Array.isArray(shown) && Array.isArray(actual)) return listDifference(shown, actual, path);
  if (isObject(shown) && isObject(actual)) return memberDifference(shown, actual, path);
  if (typeOf(shown) !== typeOf(actual)) return `${path} is shown as ${typeOf(shown)}, but is ${typeOf(actual)}`;
  if (typeof shown === "string" && typeof actual === "string") return wordDifference(shown, actual, path);
  if (typeof shown === "boolean" && shown !== actual) return `${path} is shown as ${shown}, but is ${actual}`;
  return undefined;
}

function memberDifference(shown: object, actual: object, path: string): string | undefined {
  const real = new Map<string, unknown>(Object.entries(actual));
  const names = Object.keys(shown).filter((name) => name !== "…");
  const missing = names.find((name) => !real.has(name));
  if (missing !== undefined) return `${path} has no member ${missing}; it has ${[...real.keys()].join(", ")}`;
  const extra = "…" in shown ? undefined : [...real.keys()].find((name) => !names.includes(name));
  if (extra !== undefined) return `${path} also has a member ${extra}`;
  for (const [name, value] of Object.entries(shown)) {
    const difference = name === "…" ? undefined : jsonDifference(value, real.get(name), `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function listDifference(shown: readonly unknown[], actual: readonly unknown[], path: string): string | undefined {
  const elements = shown.filter((element) => element !== "…");
  for (const [index, element] of elements.entries())
    if (!actual.some((real) => jsonDifference(element, real) === undefined))
      return actual.length === 0
        ? `${path} is empty`
        : jsonDifference(element, actual[Math.min(index, actual.length - 1)], `${path}[${index}]`);
  if (elements.length < shown.length) return undefined;
  const unlike = actual.findIndex((real) => !elements.some((element) => jsonDifference(element, real) === undefined));
  return unlike < 0 ? undefined : `${path}[${unlike}] is like no shown element: ${JSON.stringify(actual[unlike])}`;
}

function wordDifference(shown: string, actual: string, path: string): string | undefined {
  const parts = normalised(shown).split("…");
  const real = normalised(actual);
  const isLike = parts.length === 1 ? real === parts[0] : real.startsWith(parts[0] ?? "") && real.endsWith(parts.at(-1) ?? "");
  return isLike ? undefined : `${path} is shown as ${JSON.stringify(shown)}, but is ${JSON.stringify(actual)}`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
