import * as v from "valibot";

/** What was withheld and why: told with every result, so that absence is told from no data. */
export const ResultMeta = v.strictObject({
  suppressed_rows: v.pipe(
    v.number(),
    v.description(
      "Rows in the window that are withheld: of fewer than k devices, or because finer rows of fewer than k could be told from them",
    ),
  ),
  unknown_ids: v.pipe(v.array(v.number()), v.description("Requested ids that are not geographies of the type")),
  k: v.pipe(v.number(), v.description("How many raw devices must stand behind what is published")),
});
export type ResultMeta = v.InferOutput<typeof ResultMeta>;

/** The version of a date's data that a result was made from. */
export const DataVersion = v.object({ batch_date: v.string(), version: v.number() });
export type DataVersion = v.InferOutput<typeof DataVersion>;

/** The days of a window that there is data of: what tells no data from nobody there. */
export const DataVersions = v.pipe(
  v.array(DataVersion),
  v.description("The days of the window that have data, with its version; no others do"),
);
