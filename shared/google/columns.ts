import * as v from "valibot";

/** A column of a warehouse table, as loads need it. */
export interface Column {
  readonly name: string;
  readonly type: "STRING" | "INT64" | "FLOAT64" | "BOOL" | "DATE" | "TIMESTAMP" | "GEOGRAPHY";
  readonly required: boolean;
}

/** BigQuery's REST API uses legacy type names, its SQL the standard ones. */
const TYPES: Readonly<Record<string, Column["type"]>> = {
  STRING: "STRING",
  INTEGER: "INT64",
  INT64: "INT64",
  FLOAT: "FLOAT64",
  FLOAT64: "FLOAT64",
  BOOLEAN: "BOOL",
  BOOL: "BOOL",
  DATE: "DATE",
  TIMESTAMP: "TIMESTAMP",
  GEOGRAPHY: "GEOGRAPHY",
};

const Metadata = v.object({
  schema: v.object({
    fields: v.array(
      v.pipe(
        v.object({
          name: v.string(),
          type: v.pipe(
            v.string(),
            v.check((type) => TYPES[type] !== undefined, "is a type that imports do not support"),
          ),
          mode: v.optional(v.string(), "NULLABLE"),
        }),
        v.transform(({ name, type, mode }): Column => ({ name, type: TYPES[type] ?? "STRING", required: mode === "REQUIRED" })),
      ),
    ),
  }),
});

/** Returns the columns of a live table from its metadata. Throws for an unsupported type. */
export function columnsOf(metadata: unknown): readonly Column[] {
  return v.parse(Metadata, metadata).schema.fields;
}
