import { createRequire } from "node:module";
import * as v from "valibot";

/** A member of protobufjs that is a function, or a class with a static method. */
const functionOf = <T>() => v.custom<T>((value) => typeof value === "function");
type Generate = (type: Message) => Code;
/** The parts of protobufjs that generate code. */
const Generator = v.object({
  Root: functionOf<{ readonly fromJSON: (json: unknown) => Root }>(),
  Type: functionOf<{ readonly generateConstructor: Generate }>(),
  encoder: functionOf<Generate>(),
  decoder: functionOf<Generate>(),
  converter: v.object({ fromObject: functionOf<Generate>(), toObject: functionOf<Generate>() }),
});

interface Root {
  readonly resolveAll: () => void;
  readonly lookupService: (name: string) => { readonly methodsArray: readonly Method[] };
}

interface Method {
  readonly name: string;
  readonly requestStream?: boolean;
  readonly responseStream?: boolean;
  readonly resolvedRequestType: Message;
  readonly resolvedResponseType: Message;
}

interface Message {
  readonly name: string;
  readonly fieldsArray: readonly { readonly resolvedType: Message | Enumeration | null }[];
}

interface Enumeration {
  readonly valuesById: Readonly<Record<string, string>>;
}

/** The source of a function. Its free names are those of protobufjs's runtime, and `types`: those of the message's fields, in order. */
interface Code {
  readonly toString: (name: string) => string;
}

/**
 * Returns the source of a module that stands for a package's descriptors: it encodes and decodes the messages of a service with the code that
 * protobufjs generates from the descriptors, which it does at run time otherwise. Requests are only encoded, responses only decoded. The stand-in
 * of @grpc/proto-loader reads it.
 * @param json the descriptors
 * @param service the full name of a service; all its methods are kept
 * @param from a file of the package, whose protobufjs generates the code
 */
export function codecs(json: string, service: string, from: string): string {
  const generator = v.parse(Generator, createRequire(from)("protobufjs"));
  const root = generator.Root.fromJSON(JSON.parse(json));
  root.resolveAll();
  const { methodsArray: methods } = root.lookupService(service);
  const encoded = reached(methods.map(({ resolvedRequestType }) => resolvedRequestType));
  const decoded = reached(methods.map(({ resolvedResponseType }) => resolvedResponseType));
  const all = [...new Set([...encoded, ...decoded])];
  const indexOf = (type: Message | Enumeration | null): number | null => (type === null ? null : all.indexOf(type));
  return [
    `const { Reader, Writer, util } = require("protobufjs/minimal");`,
    "const enumeration = (byId) => ({ values: Object.assign(Object.create(byId), Object.fromEntries(Object.entries(byId).map(([id, name]) => [name, Number(id)]))) });",
    "const message = (make, fields) => { const types = []; return { ...make(types), link: () => fields.forEach((index, at) => { types[at] = all[index]; }) }; };",
    `const all = [${all.map((type) => ("valuesById" in type ? `enumeration(${JSON.stringify(type.valuesById)})` : messageSource(type))).join(",\n")}];`,
    "for (const { link } of all) link?.();",
    // gax keeps definitions by their JSON: the functions are not in it, the name is.
    `module.exports = { service: ${JSON.stringify(service)}, methods: () => [${methods.map(methodSource).join(", ")}] };`,
  ].join("\n");

  function messageSource(type: Message): string {
    const { Type, encoder, decoder, converter } = generator;
    const members = [
      `ctor: ${Type.generateConstructor(type).toString(type.name)}`,
      ...(encoded.has(type) ? [`encode: ${source(encoder(type))}`, `fromObject: ${source(converter.fromObject(type))}`] : []),
      ...(decoded.has(type) ? [`decode: ${source(decoder(type))}`, `toObject: ${source(converter.toObject(type))}`] : []),
    ];
    return `message((types) => ({ ${members.join(", ")} }), ${JSON.stringify(type.fieldsArray.map(({ resolvedType }) => indexOf(resolvedType)))})`;
  }

  function methodSource({ name, requestStream, responseStream, resolvedRequestType, resolvedResponseType }: Method): string {
    const streams = `requestStream: ${requestStream === true}, responseStream: ${responseStream === true}`;
    return `{ name: "${name}", ${streams}, request: all[${indexOf(resolvedRequestType)}], response: all[${indexOf(resolvedResponseType)}] }`;
  }
}

function source(code: Code): string {
  return code.toString("");
}

/** Returns the messages and enumerations that messages consist of, themselves included. */
function reached(messages: readonly Message[]): Set<Message | Enumeration> {
  const found = new Set<Message | Enumeration>(messages);
  // A set's iteration includes what is added meanwhile.
  for (const type of found)
    if ("fieldsArray" in type) for (const { resolvedType } of type.fieldsArray) if (resolvedType !== null) found.add(resolvedType);
  return found;
}
