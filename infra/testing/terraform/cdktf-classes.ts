import type { Attribute, AttributeType, Block, NestedBlock } from "./schema.ts";

/** What one file of a CDKTF package describes. */
export interface Described {
  readonly kind: "provider" | "resource" | "data source";
  /** Its type, for example google_storage_bucket; of a provider, its name. */
  readonly type: string;
  readonly block: Block;
}

const KINDS = {
  TerraformProvider: "provider",
  TerraformResource: "resource",
  TerraformDataSource: "data source",
} as const;

const CLASS = /^export class (\w+) extends cdktf\.(\w+) \{$/gm;
/** The comment above a member, and the three lines below: a field and its getter, or the getter of a value that only the provider knows. */
const MEMBER = /^ {2}\/\/ (\w+) - computed: (true|false), optional: (true|false), required: (true|false)\n(.*\n.*\n.*)/gm;
const NESTED = /new (\w+?)(List|OutputReference)\(this, "\w+"(?:, (true|false))?\)/;
/** A block of the provider's own arguments (`batching`, `external_credentials`): CDKTF makes no class of it, so it is left out. */
const WITHOUT_CLASS = /\?: \w+\[\] \| cdktf\.IResolvable;/;
/** A member as the code writes it to a file: which of them is a list, and which a set. */
const WRITTEN = /^ {4,6}(\w+): \{\n\s+value: .*\n\s+isBlock: (?:true|false),\n\s+type: "(\w+)",/gm;

/** A class: its body, and how its members are written. */
interface Source {
  readonly body: string;
  readonly written: ReadonlyMap<string, string>;
}

/**
 * Reads a schema out of the TypeScript that CDKTF generated from it, a text for each resource. It keeps names, types, nesting,
 * what is required and what is computed; it has lost numbers of blocks other than none, one and any.
 */
export function describe(text: string): Described | undefined {
  const classes = sourcesOf(text);
  for (const [name, base] of [...text.matchAll(CLASS)].map(([, name = "", base = ""]) => [name, base] as const)) {
    const kind = Object.entries(KINDS).find(([known]) => known === base)?.[1];
    const [, type] = /tfResourceType = "(\w+)"/.exec(text) ?? [];
    if (kind !== undefined && type !== undefined) return { kind, type, block: blockOf(name, classes) };
  }
  return undefined;
}

function sourcesOf(text: string): Map<string, Source> {
  const starts = [...text.matchAll(CLASS)];
  return new Map(
    starts.map(({ index, 1: name = "" }) => {
      const end = text.indexOf("\n}\n", index);
      const body = text.slice(index, end === -1 ? undefined : end);
      return [name, { body, written: writtenOf(`${writerOf(name, text)}${body}`) }];
    }),
  );
}

/** The function that writes the block of a class, which stands before the class. */
function writerOf(name: string, text: string): string {
  const struct = name.replace(/OutputReference$/, "");
  const start = text.indexOf(`export function ${struct.charAt(0).toLowerCase()}${struct.slice(1)}ToHclTerraform(`);
  return start === -1 ? "" : text.slice(start, text.indexOf("\n}\n", start));
}

function writtenOf(code: string): Map<string, string> {
  return new Map([...code.matchAll(WRITTEN)].map(([, name = "", type = ""]) => [name, type]));
}

function blockOf(name: string, classes: ReadonlyMap<string, Source>): Block {
  const source = classes.get(name);
  if (!source) throw new Error(`The package has no class ${name}`);
  const attributes: Attribute[] = [];
  const blocks: NestedBlock[] = [];
  for (const [, member = "", computed, optional, required, code = ""] of source.body.matchAll(MEMBER)) {
    const about = { name: member, required: required === "true", optional: optional === "true", computed: computed === "true" };
    if (WITHOUT_CLASS.test(code)) continue;
    const [, struct, form, wrapsSet] = NESTED.exec(code) ?? [];
    if (struct === undefined || struct.startsWith("String")) {
      attributes.push({ ...about, type: typeOf(code, `${name}.${member}`) });
      continue;
    }
    const isSet = wrapsSet === "true" || source.written.get(member) === "set";
    const block = blockOf(`${struct}OutputReference`, classes);
    // What the provider alone knows is no block of a configuration, but a list of objects.
    if (about.computed) attributes.push({ ...about, type: [isSet ? "set" : "list", ["object", objectOf(block)]] });
    else if (member === "timeouts") blocks.push({ name: member, nesting: "SINGLE", min: 0, max: 0, block });
    else
      blocks.push({
        name: member,
        nesting: isSet ? "SET" : "LIST",
        min: Number(about.required),
        max: Number(form === "OutputReference"),
        block,
      });
  }
  return { attributes, blocks };
}

/** The type of an object that is a value, with what would be blocks as lists of objects. */
function objectOf({ attributes, blocks }: Block): Record<string, AttributeType> {
  return Object.fromEntries<AttributeType>([
    ...attributes.map(({ name, type }) => [name, type] as const),
    ...blocks.map(({ name, nesting, block }) => [name, [nesting.toLowerCase(), ["object", objectOf(block)]]] as const),
  ]);
}

const SCALARS: readonly (readonly [AttributeType, RegExp])[] = [
  [["list", ["map", "string"]], /cdktf\.StringMapList\(/],
  [["map", "string"], /cdktf\.StringMap\(|\?: \{ \[key: string\]: string \}|getStringMapAttribute/],
  [["list", "number"], /\?: number\[\]|getNumberListAttribute/],
  [["list", "string"], /\?: string\[\]|getListAttribute/],
  ["bool", /\?: boolean|getBooleanAttribute/],
  ["number", /\?: number|getNumberAttribute/],
  ["string", /\?: string|getStringAttribute/],
];

function typeOf(code: string, where: string): AttributeType {
  const [type] = SCALARS.find(([, pattern]) => pattern.test(code)) ?? [];
  if (type === undefined) throw new Error(`${where} has a type that is not known: ${code}`);
  // CDKTF reads a set as a list.
  return code.includes("cdktf.Fn.tolist(") && typeof type !== "string" ? ["set", type[1]] : type;
}
