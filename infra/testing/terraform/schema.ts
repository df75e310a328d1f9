import * as v from "valibot";

/** A type as Terraform writes it in JSON: "string", or a kind and what it holds, for example ["list", "string"]. */
export type AttributeType = string | readonly [kind: string, element: AttributeType | Readonly<Record<string, AttributeType>>];

/** An argument, or a value that the provider alone knows (`computed` without `optional`). */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly required: boolean;
  readonly optional: boolean;
  readonly computed: boolean;
}

/** A block within another. `max` is 0 where there may be any number. */
export interface NestedBlock {
  readonly name: string;
  readonly nesting: "SINGLE" | "LIST" | "SET";
  readonly min: number;
  readonly max: number;
  readonly block: Block;
}

export interface Block {
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly NestedBlock[];
}

/** What a provider has: its own arguments, and its resources and data sources by type. */
export interface ProviderSchema {
  /** The provider's version, for example 6.50.0. */
  readonly version: string;
  readonly provider: Block;
  readonly resources: Readonly<Record<string, Block>>;
  readonly dataSources: Readonly<Record<string, Block>>;
}

const TypeSchema: v.GenericSchema<AttributeType> = v.lazy(() =>
  v.union([v.string(), v.tuple([v.string(), v.union([TypeSchema, v.record(v.string(), TypeSchema)])])]),
);
const AttributeSchema = v.object({
  name: v.string(),
  type: TypeSchema,
  required: v.boolean(),
  optional: v.boolean(),
  computed: v.boolean(),
});
const BlockSchema: v.GenericSchema<Block> = v.lazy(() =>
  v.object({
    attributes: v.array(AttributeSchema),
    blocks: v.array(
      v.object({ name: v.string(), nesting: v.picklist(["SINGLE", "LIST", "SET"]), min: v.number(), max: v.number(), block: BlockSchema }),
    ),
  }),
);
const ProviderSchemaSchema = v.object({
  version: v.string(),
  provider: BlockSchema,
  resources: v.record(v.string(), BlockSchema),
  dataSources: v.record(v.string(), BlockSchema),
});

/** Parses the text of a kept schema. Throws an Error if it is none. */
export function parseProviderSchema(text: string): ProviderSchema {
  return v.parse(ProviderSchemaSchema, JSON.parse(text));
}
