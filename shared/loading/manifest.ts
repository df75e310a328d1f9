import * as v from "valibot";

/** A name within the folder. */
const FileName = v.pipe(
  v.string(),
  v.regex(/^[^/]+\.(csv|csv\.gz|parquet)$/, "must be the name of a CSV or Parquet file in the manifest's folder"),
);

const Manifest = v.strictObject({
  files: v.pipe(
    v.array(
      v.strictObject({
        name: FileName,
        crc32c: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{6}==$/, "must be the CRC32C in base64, as Cloud Storage shows it")),
      }),
    ),
    v.minLength(1, "must name a file"),
  ),
  replaces: v.optional(v.array(FileName), []),
});

/** A JSON manifest: the files that it adds to the day with their checksums, and those that they replace. */
export type Manifest = v.InferOutput<typeof Manifest>;

/** The bytes of a manifest that is read: more than 10,000 files need, which are the most that a day can have. */
export const MANIFEST_BYTES_MAX = 4 * 2 ** 20;

/** Parses a JSON manifest. Returns what is wrong with it as lines if it is none. */
export function parseManifest(text: string): { readonly manifest: Manifest } | { readonly faults: readonly string[] } {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Manifest), text);
  if (parsed.success) return { manifest: parsed.output };
  return { faults: parsed.issues.map((issue) => [v.getDotPath(issue), issue.message].filter((part) => part !== null).join(" ")) };
}
