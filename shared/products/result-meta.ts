import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";

/** What holds for the rows of a result. It does not tell withheld rows from rows that never were: who sends many requests could locate them. */
export const ResultMeta = v.pipe(
  v.strictObject({
    // A type for null alone is what generators of clients lack.
    suppressed_rows: v.pipe(
      v.nullable(WholeNumber),
      v.check((count) => count === null, "must be null"),
      v.description("Always null: a count of withheld rows would tell which of the absent rows are withheld"),
    ),
    unknown_ids: v.pipe(v.array(WholeNumber), v.description("Requested ids that are not geographies of the type")),
    k: v.pipe(WholeNumber, v.description("The minimum number of raw devices behind a published row")),
    step: v.pipe(
      WholeNumber,
      v.description("Published counts of people are multiples of this: the people of k devices, of 2k in the strict profile"),
    ),
  }),
  v.title("ResultMeta"),
);
export type ResultMeta = v.InferOutput<typeof ResultMeta>;

/** The meta of a stored result. Results of an earlier release hold the number of withheld rows, which is read as null. */
export const StoredResultMeta = v.object({
  ...ResultMeta.pipe[0].entries,
  suppressed_rows: v.pipe(
    v.nullable(WholeNumber),
    v.transform((): ResultMeta["suppressed_rows"] => null),
  ),
});

/** The version of a date's data that a result is based on. */
export const DataVersion = v.pipe(v.object({ batch_date: v.pipe(v.string(), v.isoDate()), version: WholeNumber }), v.title("DataVersion"));
export type DataVersion = v.InferOutput<typeof DataVersion>;

/** The days of a window that have data. They distinguish missing data from an area without people. */
export const DataVersions = v.pipe(
  v.array(DataVersion),
  v.description("The days of the window that have data, with its version. Other days have no data"),
);

/** The forms of what a preview shows: one object per row, or lists of values. */
export const FORMS = ["rows", "columns"] as const;
export type Form = (typeof FORMS)[number];

/** Returns the `kind` of a response with the data of a product. No two schemas of a response share one, so clients tell them apart by it. */
export function kindOf(product: string, form: Form = "rows"): string {
  return `${product}_${form}`;
}

/** The schema of a response's `kind`. */
export function Kind<const Value extends string>(value: Value) {
  return v.pipe(v.literal(value), v.description("Tells the forms of this response apart: none of the others has this value"));
}

/** Returns the name of one of a product's schemas, as generated clients call their types: `ActivitiesPreview`. */
export function schemaName(product: string, what: string): string {
  return `${product[0]?.toUpperCase()}${product.slice(1)}${what}`;
}
