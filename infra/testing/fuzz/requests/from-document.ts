import fc from "fast-check";
import { isObject, type JsonSchema } from "../json-schema.ts";
import type { Operation, Parameter } from "../openapi.ts";
import { knownGood, type Members } from "./known-good.ts";
import { boundsOf, oddNames, oddValues } from "./odd-values.ts";
import { encoded, headerText, type Sketch } from "./sketch.ts";
import { valuesOf } from "./values.ts";
import type { Knowledge } from "./words.ts";

/** Draws requests of an operation that are valid by its document. */
export function validRequests(operation: Operation, knowledge: Knowledge): fc.Arbitrary<Sketch> {
  return validMembers(operation, knowledge).map((members) => written("valid", operation, members));
}

/** Draws requests that are valid except for one member: an odd value, an extra member, or a missing one. */
export function nearlyValidRequests(operation: Operation, knowledge: Knowledge): fc.Arbitrary<Sketch> {
  const change = fc.oneof(
    { arbitrary: fc.record({ how: fc.constant("replace" as const), value: oddValues }), weight: 5 },
    { arbitrary: fc.record({ how: fc.constant("bound" as const), value: fc.nat() }), weight: 3 },
    { arbitrary: fc.record({ how: fc.constant("remove" as const), value: fc.constant(null) }), weight: 1 },
    { arbitrary: fc.record({ how: fc.constantFrom("query" as const, "body" as const), value: oddValues, name: oddNames }), weight: 1 },
  );
  return fc
    .tuple(validMembers(operation, knowledge), fc.nat(), change)
    .map(([members, at, one]) => written("nearly", operation, changed(operation, members, at, one)));
}

type Place = "path" | "query" | "header" | "body";
const PLACES = ["path", "query", "header", "body"] as const satisfies Place[];

function validMembers(operation: Operation, knowledge: Knowledge): fc.Arbitrary<Members> {
  const place = (where: Parameter["in"]): fc.Arbitrary<Record<string, unknown>> => {
    const named = operation.parameters.filter((parameter) => parameter.in === where);
    const model = Object.fromEntries(named.map(({ name, schema }) => [name, valuesOf(schema, name, knowledge)]));
    return fc.record(model, { requiredKeys: named.filter(({ required }) => required).map(({ name }) => name) });
  };
  const any = fc.record({ path: place("path"), query: place("query"), header: place("header") });
  const bodies = operation.body ? valuesOf(operation.body.schema, "", knowledge).filter(isObject) : fc.constant(undefined);
  const fromDocument = fc.tuple(any, operation.body?.required === false ? fc.option(bodies, { nil: undefined }) : bodies);
  const whole = fromDocument.map(([members, body]): Members => ({ ...members, ...(body ? { body } : {}) }));
  const good = knownGood(operation.operationId, knowledge);
  if (good.length === 0) return whole;
  return fc.oneof(
    whole,
    fc.tuple(any, fc.constantFrom(...good)).map(([members, one]): Members => ({ path: members.path, header: members.header, ...one })),
  );
}

interface Change {
  readonly how: "replace" | "bound" | "remove" | "query" | "body";
  readonly value: unknown;
  readonly name?: string;
}

/** Returns the members with one change, at a location picked by a number. */
function changed(operation: Operation, members: Members, at: number, { how, value, name = "" }: Change): Members {
  if (how === "query" || (how === "body" && !operation.body)) return withMember(members, "query", name, value);
  if (how === "body") return withMember(members, "body", name, value);
  const all = PLACES.flatMap((place) => Object.keys(members[place] ?? {}).map((member) => [place, member] as const));
  const picked = all[at % Math.max(1, all.length)];
  if (!picked) return withMember(members, "query", "x", value);
  const [place, member] = picked;
  if (how === "replace") return withMember(members, place, member, value);
  const present = members[place]?.[member];
  const others = Object.entries(members[place] ?? {}).filter(([other]) => other !== member);
  // A path cannot lose a segment: it would be another path.
  if (how === "remove")
    return place === "path" ? withMember(members, place, member, "") : { ...members, [place]: Object.fromEntries(others) };
  const bounds = schemasOf(operation, place, member).flatMap((schema) => boundsOf(schema, present));
  return bounds.length === 0 ? members : withMember(members, place, member, bounds[Number(value) % bounds.length]);
}

/** Sets a member. `__proto__` is treated like any other name. */
function withMember(members: Members, place: Place, name: string, value: unknown): Members {
  return { ...members, [place]: Object.fromEntries([...Object.entries(members[place] ?? {}), [name, value]]) };
}

function schemasOf({ parameters, body }: Operation, place: Place, name: string): JsonSchema[] {
  const alternatives = (schema: JsonSchema): JsonSchema[] => [schema, ...(schema.anyOf ?? schema.oneOf ?? []).flatMap(alternatives)];
  const own = place === "body" ? alternatives(body?.schema ?? {}).flatMap(({ properties }) => properties?.[name] ?? []) : [];
  return [
    ...own,
    ...parameters.flatMap((parameter) => (parameter.in === place && parameter.name === name ? [parameter.schema] : [])),
  ].flatMap(alternatives);
}

function written(
  kind: Sketch["kind"],
  { api, method, path, body }: Operation,
  { path: params = {}, query = {}, header = {}, body: members }: Members,
): Sketch {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encoded(textOf(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).slice(0, 600).map((one) => `${encoded(name)}=${encoded(textOf(one))}`),
  );
  const type = members === undefined ? [] : ([["content-type", "application/json"]] as const);
  return {
    kind,
    api,
    method,
    functionName: undefined,
    target: `${filled}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`.slice(0, TARGET_MAX),
    withKey: true,
    headers: [...type, ...Object.entries(header).map(([name, value]) => [name, headerText(textOf(value)).slice(0, HEADER_MAX)] as const)],
    body: members === undefined || (!body && method === "GET") ? undefined : JSON.stringify(members),
    encoding: "utf8",
  };
}

/** Node itself refuses a head of more than 16 KiB. */
const TARGET_MAX = 7000;
const HEADER_MAX = 4000;

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
