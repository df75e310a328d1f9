import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { asFields, asList, asNumber, asText, asTruth, entriesOf, type Fields, isList, textOf, Unknown, type Value } from "./value.ts";

/** A function of Terraform's language. Functions that only rearrange lists and maps also accept unknown elements. */
export interface LanguageFunction {
  readonly of: (...args: Value[]) => Value;
  readonly takesUnknown: "anywhere" | "inside" | "nowhere";
}

/** A schema for values that are plain JSON. */
export const Json: v.GenericSchema<unknown, Value> = v.lazy(() =>
  v.union([v.null(), v.boolean(), v.number(), v.string(), v.array(Json), v.record(v.string(), Json)]),
);

/** Returns the functions that the project's configuration calls, as Terraform defines them. File paths are relative to a folder. */
export function createFunctions(folder: string): Readonly<Record<string, LanguageFunction>> {
  const files = {
    file: strict((path = NOTHING) => readFileSync(resolve(folder, asText(path)), "utf8")),
    fileset: strict((inner = NOTHING, pattern = NOTHING) => toSet(globSync(asText(pattern), { cwd: resolve(folder, asText(inner)) }))),
  };
  return { ...FUNCTIONS, ...files };
}

function strict(of: (...args: Value[]) => Value): LanguageFunction {
  return { of, takesUnknown: "nowhere" };
}

function arranging(of: (...args: Value[]) => Value): LanguageFunction {
  return { of, takesUnknown: "inside" };
}

const NOTHING: Value = null;

const FUNCTIONS: Readonly<Record<string, LanguageFunction>> = {
  alltrue: strict((list = NOTHING) => asList(list).every(asTruth)),
  chunklist: arranging((list = NOTHING, size = NOTHING) => chunks(asList(list), asNumber(size))),
  coalesce: {
    of: (...args) =>
      given(
        args.find((one) => one !== null && one !== ""),
        "coalesce",
      ),
    takesUnknown: "anywhere",
  },
  concat: arranging((...lists) => lists.flatMap(asList)),
  contains: strict((list = NOTHING, wanted = NOTHING) => asList(list).some((one) => textOf(one) === textOf(wanted))),
  distinct: strict((list = NOTHING) => distinct(asList(list))),
  element: arranging((list = NOTHING, index = NOTHING) => given(asList(list)[asNumber(index) % asList(list).length], "element")),
  endswith: strict((text = NOTHING, end = NOTHING) => asText(text).endsWith(asText(end))),
  // Archives do not exist before a build, and no resource depends on the text of a template.
  fileexists: strict((path = NOTHING) => new Unknown(`fileexists(${asText(path)})`)),
  filesha256: strict((path = NOTHING) => new Unknown(`filesha256(${asText(path)})`)),
  flatten: arranging((list = NOTHING) => flatten(list)),
  floor: strict((number = NOTHING) => Math.floor(asNumber(number))),
  format: strict((form = NOTHING, ...args) => {
    const values = [...args];
    return asText(form).replaceAll(/%0?(\d*)[sd]/g, (_all, width) => asText(given(values.shift(), "format")).padStart(Number(width), "0"));
  }),
  join: strict((between = NOTHING, ...lists) => lists.flatMap(asList).map(asText).join(asText(between))),
  jsondecode: strict((text = NOTHING) => v.parse(Json, JSON.parse(asText(text)))),
  jsonencode: strict((value = NOTHING) => textOf(value)),
  keys: arranging((map = NOTHING) => entriesOf(asFields(map)).map(([key]) => key)),
  length: arranging((value = NOTHING) => (typeof value === "string" ? [...value].length : entriesOf(value).length)),
  lookup: arranging((map = NOTHING, key = NOTHING, otherwise) => given(asFields(map)[asText(key)] ?? otherwise, "lookup")),
  lower: strict((text = NOTHING) => asText(text).toLowerCase()),
  max: strict((...numbers) => Math.max(...numbers.map(asNumber))),
  merge: arranging((...maps) => Object.fromEntries(maps.filter((map) => map !== null).flatMap((map) => entriesOf(asFields(map))))),
  min: strict((...numbers) => Math.min(...numbers.map(asNumber))),
  one: arranging((list = NOTHING) => {
    if (asList(list).length > 1) throw new Error(`More than one: ${textOf(list)}`);
    return asList(list)[0] ?? null;
  }),
  range: strict((...args) => range(args.map(asNumber))),
  regex: strict((pattern = NOTHING, text = NOTHING) => match(asText(pattern), asText(text))),
  regexall: strict((pattern = NOTHING, text = NOTHING) =>
    [...asText(text).matchAll(new RegExp(asText(pattern), "gu"))].map(([all]) => all),
  ),
  replace: strict((text = NOTHING, sought = NOTHING, by = NOTHING) => replace(asText(text), asText(sought), asText(by))),
  setintersection: strict((first = NOTHING, ...sets) => {
    const others = sets.map((set) => new Set(asList(set).map(textOf)));
    return toSet(asList(first).filter((one) => others.every((other) => other.has(textOf(one)))));
  }),
  setproduct: strict((...sets) =>
    sets.map(asList).reduce<Value[][]>((made, set) => made.flatMap((one) => set.map((value) => [...one, value])), [[]]),
  ),
  setsubtract: strict((from = NOTHING, taken = NOTHING) => {
    const gone = new Set(asList(taken).map(textOf));
    return toSet(asList(from).filter((one) => !gone.has(textOf(one))));
  }),
  setunion: strict((...sets) => toSet(sets.flatMap(asList))),
  sha256: strict((text = NOTHING) => createHash("sha256").update(asText(text)).digest("hex")),
  sort: strict((list = NOTHING) => asList(list).map(asText).sort()),
  split: strict((between = NOTHING, text = NOTHING) => asText(text).split(asText(between))),
  startswith: strict((text = NOTHING, start = NOTHING) => asText(text).startsWith(asText(start))),
  strcontains: strict((text = NOTHING, part = NOTHING) => asText(text).includes(asText(part))),
  substr: strict((text = NOTHING, from = NOTHING, length = NOTHING) =>
    asText(text).slice(asNumber(from), asNumber(from) + asNumber(length)),
  ),
  sum: strict((list = NOTHING) => asList(list).reduce<number>((sum, one) => sum + asNumber(one), 0)),
  tolist: arranging((list = NOTHING) => asList(list)),
  tonumber: strict((value = NOTHING) => (value === null ? null : asNumber(value))),
  toset: arranging((list = NOTHING) => toSet(asList(list))),
  tostring: strict((value = NOTHING) => (value === null ? null : asText(value))),
  trimsuffix: strict((text = NOTHING, suffix = NOTHING) => trimSuffix(asText(text), asText(suffix))),
  values: arranging((map = NOTHING) => asList(asFields(map))),
};

/** Returns a set as a list in Terraform's iteration order for texts. */
export function toSet(values: readonly Value[]): Value[] {
  return distinct(values).sort((a, b) => (shown(a) < shown(b) ? -1 : 1));
}

function shown(value: Value): string {
  return typeof value === "string" ? value : textOf(value);
}

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [textOf(value), value])).values()];
}

function given(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} finds nothing`);
  return value;
}

function trimSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
}

function flatten(value: Value): Value[] {
  return asList(value).flatMap((one) => (isList(one) ? flatten(one) : [one]));
}

function chunks(values: readonly Value[], size: number): Value[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_none, index) => values.slice(index * size, (index + 1) * size));
}

function range(args: readonly number[]): number[] {
  const [from = 0, to = 0] = args.length === 1 ? [0, ...args] : args;
  return Array.from({ length: Math.max(0, to - from) }, (_none, index) => from + index);
}

/** Returns named groups as a map, unnamed groups as a list, or the whole match without groups. */
function match(pattern: string, text: string): Value {
  const found = new RegExp(pattern, "u").exec(text);
  if (found === null) throw new Error(`${text} does not match ${pattern}`);
  const groups: Fields = found.groups ?? {};
  if (Object.keys(groups).length > 0) return groups;
  return found.length > 1 ? found.slice(1).map((group) => group ?? null) : found[0];
}

/** Replaces text like Terraform's `replace`: a search text between slashes is a regular expression. */
function replace(text: string, sought: string, by: string): string {
  const pattern = /^\/(.+)\/$/s.exec(sought)?.[1];
  return pattern === undefined ? text.replaceAll(sought, () => by) : text.replaceAll(new RegExp(pattern, "gu"), by);
}
