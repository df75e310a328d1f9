import * as v from "valibot";
import { WholeNumber } from "../http/fields.ts";
import { DataVersion, StoredResultMeta } from "../products/result-meta.ts";
import { StoredWarnings } from "../products/result-warnings.ts";

/** A file of an export. */
export const ExportFile = v.pipe(
  v.strictObject({
    name: v.string(),
    size: v.pipe(WholeNumber, v.description("Bytes")),
    crc32c: v.pipe(v.string(), v.description("CRC32C of the file, base64 of its big-endian bytes")),
  }),
  v.title("ExportFile"),
);
export type ExportFile = v.InferOutput<typeof ExportFile>;

/**
 * The result of a completed job, without what a newer release adds. The preview is JSON text: unlike a Firestore map, text has no index entries and no nesting depth.
 */
export const JobResult = v.object({
  meta: StoredResultMeta,
  totalRows: WholeNumber,
  dataVersions: v.array(DataVersion),
  /** Results stored before this field existed have none. */
  warnings: v.optional(StoredWarnings, []),
  preview: v.nullable(v.string()),
  files: v.nullable(v.array(v.object(ExportFile.pipe[0].entries))),
});
export type JobResult = v.InferOutput<typeof JobResult>;
