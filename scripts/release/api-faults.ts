import * as v from "valibot";

/** The keywords of JSON Schema that tell which values there are. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const Inner = v.lazy(() => Schema);
const Schema: v.GenericSchema<unknown, Schema> = v.object({
  $ref: v.optional(v.string()),
  type: v.optional(v.string()),
  const: v.optional(v.unknown()),
  enum: v.optional(v.array(v.unknown())),
  anyOf: v.optional(v.array(Inner)),
  oneOf: v.optional(v.array(Inner)),
  properties: v.optional(v.record(v.string(), Inner)),
  required: v.optional(v.array(v.string())),
  items: v.optional(Inner),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
  minItems: v.optional(v.number()),
  maxItems: v.optional(v.number()),
});

const Content = v.optional(v.object({ "application/json": v.optional(v.object({ schema: Schema })) }), {});
const Operation = v.object({
  parameters: v.optional(v.array(v.object({ name: v.string(), in: v.string(), required: v.optional(v.boolean()), schema: Schema })), []),
  requestBody: v.optional(v.object({ required: v.optional(v.boolean()), content: Content })),
  responses: v.record(v.string(), v.union([v.object({ content: v.optional(Content) }), v.object({ $ref: v.string() })])),
});
type Operation = v.InferOutput<typeof Operation>;

/** An OpenAPI document of a release, as far as a later release has to keep it. */
export const Api = v.object({
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.object({ schemas: v.record(v.string(), Schema) }),
});
export type Api = v.InferOutput<typeof Api>;

/**
 * Returns a line for each change of an API after which a client of the last release would fail. What is allowed: new paths, optional parameters
 * and members of requests, more values of them, and new members and alternatives of answers. Patterns and lengths of texts are not compared.
 */
export function apiFaults(before: Api, now: Api): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const same = now.paths[path]?.[method];
      return same
        ? operationFaults(operation, same, new Comparison(before, now)).map((fault) => `${name}: ${fault}`)
        : [`${name}: is removed`];
    }),
  );
}

function operationFaults(before: Operation, now: Operation, compare: Comparison): string[] {
  const keyOf = (parameter: Operation["parameters"][number]): string => `${parameter.in} parameter ${parameter.name}`;
  const parameters = new Map(now.parameters.map((parameter) => [keyOf(parameter), parameter]));
  const released = new Set(before.parameters.map(keyOf));
  const kept = before.parameters.flatMap((parameter) => {
    const same = parameters.get(keyOf(parameter));
    if (!same) return [`the ${keyOf(parameter)} is not taken any more`];
    const isDemanded = same.required === true && parameter.required !== true ? [`the ${keyOf(parameter)} is required now`] : [];
    return [...isDemanded, ...compare.parameter(parameter.schema, same.schema, keyOf(parameter))];
  });
  const added = now.parameters.filter((one) => one.required === true && !released.has(keyOf(one)));
  const body = now.requestBody?.content["application/json"]?.schema;
  const releasedBody = before.requestBody?.content["application/json"]?.schema;
  const bodyFaults =
    releasedBody === undefined
      ? now.requestBody?.required === true
        ? ["a body is required now"]
        : []
      : body === undefined
        ? ["a body is not taken any more"]
        : compare.request(releasedBody, body, "body");
  const answers = Object.entries(before.responses).flatMap(([status, answer]) => {
    const same = now.responses[status];
    if (!status.startsWith("2")) return [];
    if (!same) return [`it does not answer ${status} any more`];
    const [was, is] = [jsonOf(answer), jsonOf(same)];
    if (was === undefined) return [];
    return is === undefined ? [`the answer ${status} is no JSON any more`] : compare.answer(was, is, `answer ${status}`);
  });
  return [...kept, ...added.map((one) => `the ${keyOf(one)} is required now`), ...bodyFaults, ...answers];
}

function jsonOf(answer: Operation["responses"][string]): Schema | undefined {
  return "content" in answer ? answer.content?.["application/json"]?.schema : undefined;
}

/** Compares schemas of two documents. A pair that is under comparison is not compared again: schemas may contain themselves. */
class Comparison {
  readonly #before: Api;
  readonly #now: Api;
  readonly #under = new Set<string>();

  constructor(before: Api, now: Api) {
    this.#before = before;
    this.#now = now;
  }

  /** What a client may have sent in a parameter that is refused now. Parameters are texts, so a boolean is the same as its text. */
  parameter(before: Schema, now: Schema, at: string): string[] {
    const was = resolved(before, this.#before);
    const { anyOf, oneOf } = was;
    return this.request({ ...was, anyOf: anyOf?.map(withoutBooleanText), oneOf: oneOf?.map(withoutBooleanText) }, now, at);
  }

  /** What a client may have sent that is refused now. */
  request(before: Schema, now: Schema, at: string): string[] {
    return this.#once("request", before, now, (was, is) => {
      const alternatives = alternativesOf(was);
      const taken = alternativesOf(is);
      if (alternatives.length + taken.length > 0) return this.#requestOfAny(alternatives, taken, was, is, at);
      const values = valuesOf(was)?.filter((value) => valuesOf(is)?.includes(value) === false) ?? [];
      const isEnumerated = valuesOf(was) === undefined && valuesOf(is) !== undefined;
      const [added = []] = [is.required?.filter((name) => was.required?.includes(name) !== true)];
      return [
        ...typeFaults(was.type, is.type, at),
        ...values.map((value) => `${at}: ${JSON.stringify(value)} is not taken any more`),
        ...(isEnumerated ? [`${at}: only ${JSON.stringify(valuesOf(is))} are taken now`] : []),
        ...boundFaults(was, is, at),
        ...added.map((name) => `${at}/${name}: is required now`),
        ...Object.entries(was.properties ?? {}).flatMap(([name, schema]) => {
          const same = is.properties?.[name];
          return same ? this.request(schema, same, `${at}/${name}`) : [`${at}/${name}: is not taken any more`];
        }),
        ...(was.items && is.items ? this.request(was.items, is.items, `${at}/items`) : []),
      ];
    });
  }

  /** What a client relied on that is not answered any more. */
  answer(before: Schema, now: Schema, at: string): string[] {
    return this.#once("answer", before, now, (was, is) => {
      const alternatives = alternativesOf(was);
      const given = alternativesOf(is);
      if (alternatives.length + given.length > 0) {
        const choices = given.length > 0 ? given : [is];
        return (alternatives.length > 0 ? alternatives : [was]).flatMap((one, index) =>
          this.#isAnswered(one, choices, at) ? [] : [`${at}: the alternative ${index + 1} is not answered any more`],
        );
      }
      const isOther = "const" in was && was.const !== undefined && was.const !== is.const;
      const [missing = []] = [was.required?.filter((name) => is.required?.includes(name) !== true)];
      return [
        ...typeFaults(is.type, was.type, at),
        ...(isOther ? [`${at}: is ${JSON.stringify(is.const)}, not ${JSON.stringify(was.const)}`] : []),
        ...missing.map((name) => `${at}/${name}: may be absent now`),
        ...Object.entries(was.properties ?? {}).flatMap(([name, schema]) => {
          const same = is.properties?.[name];
          return same ? this.answer(schema, same, `${at}/${name}`) : [`${at}/${name}: is not answered any more`];
        }),
        ...(was.items && is.items ? this.answer(was.items, is.items, `${at}/items`) : []),
      ];
    });
  }

  /** Returns whether an alternative of answers is one of the `choices`, or all of what it consists of are. */
  #isAnswered(one: Schema, choices: readonly Schema[], at: string): boolean {
    const isAmong = (part: Schema): boolean => choices.some((other) => this.answer(part, other, at).length === 0);
    const parts = this.#byRows(one);
    return isAmong(one) || (parts.length > 1 && parts.every(isAmong));
  }

  /** Returns an object of the last release once for each kind of rows in its first list of several kinds. A client that reads all of them reads each. */
  #byRows(schema: Schema): Schema[] {
    const was = resolved(schema, this.#before);
    for (const [name, member] of Object.entries(was.properties ?? {})) {
      const list = resolved(member, this.#before);
      const kinds = alternativesOf(list.items ? resolved(list.items, this.#before) : {});
      if (kinds.length > 1) return kinds.map((items) => ({ ...was, properties: { ...was.properties, [name]: { ...list, items } } }));
    }
    return [];
  }

  #requestOfAny(alternatives: readonly Schema[], taken: readonly Schema[], was: Schema, is: Schema, at: string): string[] {
    const choices = taken.length > 0 ? taken : [is];
    return (alternatives.length > 0 ? alternatives : [was]).flatMap((one, index) => {
      const faults = choices.map((other) => this.request(one, other, at));
      if (faults.some((found) => found.length === 0)) return [];
      return choices.length === 1 ? (faults[0] ?? []) : [`${at}: the alternative ${index + 1} is not taken any more`];
    });
  }

  #once(direction: string, before: Schema, now: Schema, compare: (was: Schema, is: Schema) => string[]): string[] {
    const [was, is] = [resolved(before, this.#before), resolved(now, this.#now)];
    const pair = `${direction} ${JSON.stringify([was, is])}`;
    if (this.#under.has(pair)) return [];
    this.#under.add(pair);
    try {
      return compare(was, is);
    } finally {
      this.#under.delete(pair);
    }
  }
}

function resolved(schema: Schema, { components }: Api): Schema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.replace("#/components/schemas/", "")];
  if (!found) throw new Error(`There is no schema ${schema.$ref}`);
  return resolved(found, { components, paths: {} });
}

function alternativesOf({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] {
  return [...anyOf, ...oneOf];
}

function withoutBooleanText(schema: Schema): Schema {
  const isText = valuesOf(schema)?.every((value) => value === "true" || value === "false") === true;
  return isText ? { type: "boolean" } : schema;
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

/** @param given the type of the values, of which all must be of the type `taken` */
function typeFaults(given: string | undefined, taken: string | undefined, at: string): string[] {
  if (given === taken || taken === undefined || (given === "integer" && taken === "number")) return [];
  return [`${at}: is ${given ?? "of any type"} on one side and ${taken} on the other`];
}

function boundFaults(was: Schema, is: Schema, at: string): string[] {
  const least = [
    [was.minimum, is.minimum],
    [was.minItems, is.minItems],
  ].some(([former = Number.NEGATIVE_INFINITY, present = Number.NEGATIVE_INFINITY]) => present > former);
  const most = [
    [was.maximum, is.maximum],
    [was.maxItems, is.maxItems],
  ].some(([former = Number.POSITIVE_INFINITY, present = Number.POSITIVE_INFINITY]) => present < former);
  return least || most ? [`${at}: has narrower bounds now`] : [];
}
