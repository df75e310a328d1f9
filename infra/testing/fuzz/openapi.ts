import * as v from "valibot";
import type { Ready } from "../../local/ready-file.ts";
import { isObject, JsonSchema } from "./json-schema.ts";

/** One of the two base URLs. */
export type Api = "users" | "data";

const Parameter = v.object({ name: v.string(), in: v.picklist(["path", "query", "header"]), required: v.boolean(), schema: JsonSchema });
/** A parameter of a path, a query or a header. */
export type Parameter = v.InferOutput<typeof Parameter>;

const Content = v.record(v.string(), v.object({ schema: JsonSchema }));
const ResponseForm = v.object({
  headers: v.optional(v.record(v.string(), v.object({ schema: JsonSchema })), {}),
  content: v.optional(Content, {}),
});

/** A declared response: its headers, and its body by media type; of none if the response has no body. */
export type ResponseForm = v.InferOutput<typeof ResponseForm>;

const OperationForm = v.object({
  operationId: v.string(),
  parameters: v.array(Parameter),
  requestBody: v.optional(v.object({ required: v.boolean(), content: v.object({ "application/json": v.object({ schema: JsonSchema }) }) })),
  responses: v.record(v.string(), ResponseForm),
});

const Document = v.object({ openapi: v.string(), paths: v.record(v.string(), v.record(v.string(), OperationForm)) });

/** One operation of a document, with its parameters and responses. */
export interface Operation extends Omit<v.InferOutput<typeof OperationForm>, "requestBody"> {
  readonly api: Api;
  /** In upper case. */
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly body: { readonly required: boolean; readonly schema: JsonSchema } | undefined;
}

/** Reads the operations of both APIs from the public documents. Throws for a document with a schema that cannot be checked. */
export async function readOperations(ready: Pick<Ready, "users_base_url" | "data_base_url">): Promise<Operation[]> {
  const lists = await Promise.all([operationsOf("users", ready.users_base_url), operationsOf("data", ready.data_base_url)]);
  return lists.flat();
}

async function operationsOf(api: Api, base: string): Promise<Operation[]> {
  const source: unknown = await (await fetch(`${base}/openapi.json`)).json();
  const parsed = v.safeParse(Document, inlined(source, source));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Error(`The document of the ${api} API cannot be checked: ${v.getDotPath(issue)}: ${issue.message}`);
  }
  return Object.entries(parsed.output.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { requestBody, ...form }]) => ({
      ...form,
      api,
      path,
      method: method.toUpperCase(),
      body: requestBody && { required: requestBody.required, schema: requestBody.content["application/json"].schema },
    })),
  );
}

/** Returns a part of a document with each reference replaced by its target. */
function inlined(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => inlined(item, document));
  if (!isObject(part)) return part;
  const { $ref } = part;
  if (typeof $ref === "string") return inlined(lookUp($ref, document), document);
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, inlined(member, document)]));
}

function lookUp(reference: string, document: unknown): unknown {
  const [root, ...names] = reference.split("/");
  const found = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), document);
  if (root !== "#" || found === undefined) throw new Error(`A document refers to ${reference}, which is not in it`);
  return found;
}

/** Returns the operation of a request line. Undefined when there is none. */
export function operationAt(operations: readonly Operation[], api: Api, method: string, target: string): Operation | undefined {
  if (!URL.canParse(`http://host${target}`)) return undefined;
  const { pathname } = new URL(`http://host${target}`);
  const fits = ({ path }: Operation): boolean =>
    new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname);
  const found = operations.filter((operation) => operation.api === api && operation.method === method && fits(operation));
  return found.toSorted((a, b) => a.parameters.length - b.parameters.length)[0];
}
