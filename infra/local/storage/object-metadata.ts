import * as v from "valibot";

/** The metadata of an object that its writer sets. */
export const contentSettingsSchema = v.object({
  contentType: v.string(),
  contentEncoding: v.exactOptional(v.string()),
  contentDisposition: v.exactOptional(v.string()),
  contentLanguage: v.exactOptional(v.string()),
  cacheControl: v.exactOptional(v.string()),
  /** The customer's own pairs, `x-goog-meta-*` on the wire. */
  metadata: v.exactOptional(v.record(v.string(), v.string())),
});
export type ContentSettings = v.InferOutput<typeof contentSettingsSchema>;

/** The stored metadata of an object; the schema of its sidecar file. */
export const objectMetadataSchema = v.object({
  ...contentSettingsSchema.entries,
  bucket: v.string(),
  name: v.string(),
  /** Microseconds since 1970 at which the content was stored, increased if needed so that generations strictly rise within a store. */
  generation: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  metageneration: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** Bytes. */
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  crc32c: v.string(),
  md5Hash: v.exactOptional(v.string()),
  /** ISO 8601 with milliseconds. */
  timeCreated: v.string(),
  updated: v.string(),
});
export type ObjectMetadata = v.InferOutput<typeof objectMetadataSchema>;
