import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";

/** What was withheld and why. Every result has it, so that clients can distinguish withheld rows from missing data. */
export const ResultMeta = v.pipe(
  v.strictObject({
    suppressed_rows: v.pipe(
      WholeNumber,
      v.description("Withheld rows in the window: they have fewer than k devices, or would reveal finer rows with fewer than k"),
    ),
    unknown_ids: v.pipe(v.array(WholeNumber), v.description("Requested ids that are not geographies of the type")),
    k: v.pipe(WholeNumber, v.description("The minimum number of raw devices behind a published row")),
  }),
  v.title("ResultMeta"),
);
export type ResultMeta = v.InferOutput<typeof ResultMeta>;

/** The version of a date's data that a result is based on. */
export const DataVersion = v.pipe(v.object({ batch_date: v.pipe(v.string(), v.isoDate()), version: WholeNumber }), v.title("DataVersion"));
export type DataVersion = v.InferOutput<typeof DataVersion>;

/** The days of a window that have data. They distinguish missing data from an area without people. */
export const DataVersions = v.pipe(
  v.array(DataVersion),
  v.description("The days of the window that have data, with its version. Other days have no data"),
);
