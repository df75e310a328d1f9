import * as v from "valibot";

const Method = v.looseObject({ requestType: v.string(), responseType: v.string() });
const Field = v.looseObject({ type: v.string(), options: v.optional(v.record(v.string(), v.unknown())) });
type Method = v.InferOutput<typeof Method>;
type Field = v.InferOutput<typeof Field>;

/**
 * A namespace, message, enumeration or service in protobufjs's JSON.
 * Source: https://github.com/protobufjs/protobuf.js#using-json-descriptors
 */
interface Space {
  [member: string]: unknown;
  readonly nested?: Readonly<Record<string, Space>> | undefined;
  readonly methods?: Readonly<Record<string, Method>> | undefined;
  readonly fields?: Readonly<Record<string, Field>> | undefined;
}

const Space: v.GenericSchema<unknown, Space> = v.looseObject({
  nested: v.optional(
    v.record(
      v.string(),
      v.lazy(() => Space),
    ),
  ),
  methods: v.optional(v.record(v.string(), Method)),
  fields: v.optional(v.record(v.string(), Field)),
});

interface Called {
  /** The full name of the service. */
  readonly service: string;
  readonly methods: readonly string[];
}

/**
 * Returns a package's descriptors (JSON) reduced to some methods of a service and their messages. Throws for an unknown service or
 * method.
 */
export function prunedProtos(json: string, { service, methods }: Called): string {
  const root = v.parse(Space, JSON.parse(json));
  const found = at(root, service);
  if (!found?.methods) throw new Error(`There is no service ${service}`);
  const kept = Object.fromEntries(Object.entries(found.methods).filter(([name]) => methods.includes(name)));
  if (Object.keys(kept).length < methods.length) throw new Error(`${service} lacks some of ${methods.join(", ")}`);
  const needed = new Set<string>();
  for (const { requestType, responseType } of Object.values(kept)) for (const type of [requestType, responseType]) need(type, service);
  return JSON.stringify(copy(root, ""));

  function need(type: string, scope: string): void {
    const name = resolve(root, type, scope);
    if (name === undefined || needed.has(name)) return;
    needed.add(name);
    for (const field of Object.values(at(root, name)?.fields ?? {})) need(field.type, name);
  }

  function copy(space: Space, name: string): Space | undefined {
    const entries = Object.entries(space.nested ?? {}).flatMap(([key, inner]) => {
      const kept = copy(inner, name === "" ? key : `${name}.${key}`);
      return kept ? [[key, kept] as const] : [];
    });
    const nested = entries.length > 0 ? { nested: Object.fromEntries(entries) } : {};
    if (name === service) return { methods: Object.fromEntries(Object.entries(kept).map(([key, method]) => [key, bare(method)])) };
    if (!needed.has(name)) return entries.length > 0 ? nested : undefined;
    const { nested: _all, options: _annotations, ...own } = space;
    const fields = own.fields && Object.fromEntries(Object.entries(own.fields).map(([key, field]) => [key, plain(field)]));
    return { ...own, ...(fields ? { fields } : {}), ...nested };
  }
}

/** Returns a method without its annotations, which describe REST. */
function bare({ options: _options, parsedOptions: _parsed, ...method }: Method): Method {
  return method;
}

/** Returns a field without its annotations, whose names are in parentheses. Options such as `packed` affect the encoding and stay. */
function plain({ options, ...field }: Field): Field {
  const own = Object.entries(options ?? {}).filter(([name]) => !name.startsWith("("));
  return own.length > 0 ? { ...field, options: Object.fromEntries(own) } : field;
}

function at(root: Space, name: string): Space | undefined {
  return name.split(".").reduce<Space | undefined>((space, part) => space?.nested?.[part], root);
}

/** Resolves a type's name within a scope to its full name, innermost first. Returns undefined for scalar types such as `string`. */
function resolve(root: Space, type: string, scope: string): string | undefined {
  const parts = scope.split(".");
  return parts
    .map((_part, index) => [...parts.slice(0, parts.length - index), type].join("."))
    .concat(type)
    .find((name) => at(root, name));
}
