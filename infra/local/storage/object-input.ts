import * as v from "valibot";
import type { ExpectedHashes } from "./object-draft.ts";
import type { ContentSettings, ObjectMetadata } from "./object-metadata.ts";
import { invalid, notImplemented } from "./storage-fault.ts";

/** Fields of the object resource that the local store does not implement. */
const REFUSED = ["acl", "contexts", "customTime", "customerEncryption", "eventBasedHold", "kmsKeyName", "retention", "temporaryHold"];

/** Header values are sent back in responses, so they must not contain line breaks. */
const headerValue = v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/));
const headerName = v.pipe(v.string(), v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/));

const settings = {
  contentType: v.exactOptional(headerValue),
  contentEncoding: v.exactOptional(headerValue),
  contentDisposition: v.exactOptional(headerValue),
  contentLanguage: v.exactOptional(headerValue),
  cacheControl: v.exactOptional(headerValue),
};
const insertSchema = v.object({
  ...settings,
  name: v.exactOptional(v.string()),
  metadata: v.exactOptional(v.record(headerName, headerValue)),
  crc32c: v.exactOptional(v.string()),
  md5Hash: v.exactOptional(v.string()),
});
const patchSchema = v.object({
  contentType: v.nullish(headerValue),
  contentEncoding: v.nullish(headerValue),
  contentDisposition: v.nullish(headerValue),
  contentLanguage: v.nullish(headerValue),
  cacheControl: v.nullish(headerValue),
  metadata: v.nullish(v.record(headerName, v.nullable(headerValue))),
});

export interface InsertInput {
  readonly name: string | undefined;
  /** Without `contentType`, which may also be set by the upload's headers. */
  readonly settings: Partial<ContentSettings>;
  readonly expected: ExpectedHashes;
}

/** Parses the object resource of an insert or copy. An empty text is an empty resource. Throws a 400. */
export function parseInsert(text: string): InsertInput {
  const { name, crc32c, md5Hash, ...rest } = parse(insertSchema, text);
  return { name, settings: rest, expected: { ...(crc32c === undefined ? {} : { crc32c }), ...(md5Hash === undefined ? {} : { md5Hash }) } };
}

/** Parses a patch: absent fields and keys stay, `null` removes. Throws a 400. */
export function parsePatch(text: string): (current: ObjectMetadata) => ContentSettings {
  const patch = parse(patchSchema, text);
  return (current) => ({
    contentType: patch.contentType ?? current.contentType,
    ...patched("contentEncoding", current, patch),
    ...patched("contentDisposition", current, patch),
    ...patched("contentLanguage", current, patch),
    ...patched("cacheControl", current, patch),
    ...patchedPairs(current.metadata, patch.metadata),
  });
}

function parse<T>(schema: v.GenericSchema<unknown, T>, text: string): T {
  const input = parseJson(text);
  for (const field of REFUSED) if (Object.hasOwn(input, field)) throw notImplemented(`The field ${field} of an object`);
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw invalid(`Invalid value for field ${v.getDotPath(result.issues[0]) ?? "object"}: ${result.issues[0].message}`);
}

function parseJson(text: string): object {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like any other text that is not an object.
  }
  throw invalid("Parse Error");
}

type TextField = "contentEncoding" | "contentDisposition" | "contentLanguage" | "cacheControl";

function patched(
  field: TextField,
  current: ObjectMetadata,
  patch: { readonly [F in TextField]?: string | null | undefined },
): Partial<ContentSettings> {
  const value = patch[field] === undefined ? current[field] : patch[field];
  return value === undefined || value === null ? {} : { [field]: value };
}

function patchedPairs(
  current: ContentSettings["metadata"],
  patch: Readonly<Record<string, string | null>> | null | undefined,
): Pick<ContentSettings, "metadata"> {
  if (patch === null) return {};
  const pairs = Object.entries({ ...current, ...patch }).flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  return pairs.length === 0 ? {} : { metadata: Object.fromEntries(pairs) };
}
