import { existsSync, readdirSync } from "node:fs";
import * as v from "valibot";
import { convertFiles } from "./hcl2json.ts";
import { type Expression, parseExpression } from "./language/expression.ts";

/** A block or an attribute's value as written: expressions, inside lists and maps. */
export type Written = Expression | readonly Written[] | Body;

export interface Body {
  readonly fields: ReadonlyMap<string, Written>;
}

/** The parsed configuration of a Terraform folder. */
export interface Configuration {
  readonly folder: string;
  readonly locals: ReadonlyMap<string, Written>;
  readonly variables: ReadonlyMap<string, Body>;
  readonly outputs: ReadonlyMap<string, Body>;
  readonly modules: ReadonlyMap<string, Body>;
  /** By type and name: `google_pubsub_topic.jobs`. */
  readonly resources: ReadonlyMap<string, Body>;
}

const Blocks = v.record(v.string(), v.array(v.unknown()));
const Resources = v.record(v.string(), Blocks);
const File = v.object({
  locals: v.optional(v.array(v.record(v.string(), v.unknown())), []),
  variable: v.optional(Blocks, {}),
  output: v.optional(Blocks, {}),
  module: v.optional(Blocks, {}),
  resource: v.optional(Resources, {}),
});
const Fields = v.record(v.string(), v.unknown());
const Scalar = v.union([v.null(), v.boolean(), v.number()]);

const read = new Map<string, Promise<Configuration>>();

/** Reads a Terraform folder, once per process. Throws if it cannot be parsed. */
export function readConfiguration(folder: string): Promise<Configuration> {
  const found = read.get(folder) ?? readFolder(folder);
  read.set(folder, found);
  return found;
}

async function readFolder(folder: string): Promise<Configuration> {
  if (!existsSync(folder) || !readdirSync(folder).some((file) => file.endsWith(".tf"))) throw new Error(`No Terraform in ${folder}`);
  const { locals, variable, output, module, resource } = v.parse(File, await convertFiles(folder));
  const resources = Object.entries(resource).flatMap(([type, named]) =>
    Object.entries(named).map(([name, blocks]): [string, unknown[]] => [`${type}.${name}`, blocks]),
  );
  return {
    folder,
    locals: new Map(await Promise.all(locals.flatMap(Object.entries).map(async ([name, value]) => [name, await written(value)] as const))),
    variables: await bodies(Object.entries(variable)),
    outputs: await bodies(Object.entries(output)),
    modules: await bodies(Object.entries(module)),
    resources: await bodies(resources),
  };
}

async function bodies(blocks: readonly (readonly [name: string, blocks: readonly unknown[]])[]): Promise<Map<string, Body>> {
  return new Map(await Promise.all(blocks.map(async ([name, [block]]) => [name, await body(block)] as const)));
}

async function body(block: unknown): Promise<Body> {
  const fields = Object.entries(v.parse(Fields, block)).map(async ([name, value]) => [name, await written(value)] as const);
  return { fields: new Map(await Promise.all(fields)) };
}

async function written(value: unknown): Promise<Written> {
  if (typeof value === "string") return parseExpression(value);
  if (Array.isArray(value)) return Promise.all(value.map(written));
  if (v.is(Scalar, value)) return { kind: "literal", value };
  return body(value);
}
