import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { DataVersion, type ResultMeta } from "./result-meta.ts";

/** The row of `dataVersionsStatement`. */
export const DataVersionsRow = v.object({ data_versions: v.array(DataVersion) });
export type DataVersionsRow = v.InferOutput<typeof DataVersionsRow>;

/** The row of `summaryStatement`, with the preview rows if it selects any. */
export interface SummaryRow extends DataVersionsRow {
  readonly total_rows: number;
  /** Rows without the row that stands for none, for queries that have one. */
  readonly valued_rows?: number | undefined;
  readonly unknown_ids: number[];
  /** The requested ids that have a published row, by parameter. */
  readonly published_ids?: Readonly<Record<string, readonly number[] | null>> | undefined;
  /** The newest day with data; null if there is none. */
  readonly newest_date: string | null;
  readonly preview?: unknown[] | null | undefined;
}

/** Returns the schema of the JSON text of rows, or of `null`, whose columns have other names there: each with its own. */
export function rowsOfText(names: ReadonlyMap<string, string>, row: v.GenericSchema): v.GenericSchema<unknown, unknown[] | null> {
  // Of 120,000 rows, schemas of objects and `Object.fromEntries` take twice the time.
  const renamed = v.transform((short: unknown): unknown => {
    if (typeof short !== "object" || short === null) return short;
    const values: Record<string, unknown> = {};
    for (const [key, name] of names) values[name] = Reflect.get(short, key);
    return values;
  });
  return v.pipe(v.string(), v.parseJson(), v.nullable(v.array(v.pipe(v.unknown(), renamed, row))));
}

/** Returns the schema of a `SummaryRow` whose preview has these rows. */
export function summaryRow(rows: v.GenericSchema<unknown, unknown[] | null>): v.GenericSchema<unknown, SummaryRow> {
  return v.object({
    ...DataVersionsRow.entries,
    total_rows: v.number(),
    valued_rows: v.optional(v.number()),
    unknown_ids: v.array(v.number()),
    published_ids: v.optional(v.record(v.string(), v.nullable(v.array(v.number())))),
    newest_date: v.nullable(v.string()),
    preview: v.optional(v.nullable(rows)),
  });
}

/** Returns the meta of a result. `step` is that of its product. */
export function metaOf({ unknown_ids }: SummaryRow, { k }: CountryRules, step: number): ResultMeta {
  return { suppressed_rows: null, unknown_ids, k, step };
}
