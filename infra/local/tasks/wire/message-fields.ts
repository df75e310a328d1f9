import { status } from "@grpc/grpc-js";
import * as v from "valibot";
import { RpcError } from "./rpc-error.ts";

/**
 * Schemas of protobuf messages as decoded by proto-loader (unset fields absent, int64 as strings, enums by name) and, where the two differ,
 * also as the REST APIs encode them (bytes in base64, durations as "1.5s").
 */

const UNSUPPORTED = "is not supported by the local server";

/** Returns the schema of a message with these fields. Any other field must be unset: unsupported fields are refused, never ignored. */
export function message<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.objectWithRest(entries, v.custom<unknown>(isUnset, UNSUPPORTED));
}

export const text = v.optional(v.string(), "");
export const flag = v.optional(v.boolean(), false);
export const int32 = v.optional(integer(), 0);
export const strings = v.optional(v.array(v.string()), []);
export const stringMap = v.optional(v.record(v.string(), v.string()), {});

/** Bytes, raw or in base64 of either alphabet. */
export const bytes = v.union([
  v.instance(Buffer),
  v.pipe(
    v.string(),
    v.regex(/^[A-Za-z0-9+/_-]*={0,2}$/, "Base64 decoding failed"),
    v.transform((encoded) => Buffer.from(encoded, "base64")),
  ),
]);

/** google.protobuf.Duration, in milliseconds. */
export const duration = v.union([
  protoTime(),
  v.pipe(
    v.string(),
    v.regex(/^-?\d+(\.\d{1,9})?s$/, "Illegal duration format; duration must end with 's'"),
    v.transform((written) => Number(written.slice(0, -1)) * 1000),
  ),
]);

/** google.protobuf.Timestamp, in milliseconds since 1970. */
export const timestamp = protoTime();

/** google.protobuf.FieldMask: the paths in camelCase. */
export const fieldMask = v.union([
  v.pipe(
    v.object({ paths: strings }),
    v.transform(({ paths }) => paths.map(toCamelCase)),
  ),
  v.pipe(
    v.string(),
    v.transform((written) => written.split(",").filter(Boolean).map(toCamelCase)),
  ),
]);

/** Converts milliseconds to a google.protobuf.Timestamp or Duration. */
export function toProtoTime(milliseconds: number): { seconds: number; nanos: number } {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: Math.round((milliseconds - seconds * 1000) * 1e6) };
}

/** Parses a request. Throws INVALID_ARGUMENT, or UNIMPLEMENTED if an unsupported field is set. */
export function parseRequest<Output>(schema: v.GenericSchema<unknown, Output>, request: unknown): Output {
  const parsed = v.safeParse(schema, request);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const path = v.getDotPath(issue) ?? "request";
  if (issue.message === UNSUPPORTED) throw new RpcError(status.UNIMPLEMENTED, `The field ${path} ${UNSUPPORTED}.`);
  throw new RpcError(status.INVALID_ARGUMENT, `Invalid value at '${path}': ${issue.message}`);
}

function integer() {
  return v.union([v.pipe(v.number(), v.integer()), v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, "not an integer"), v.transform(Number))]);
}

function protoTime() {
  return v.pipe(
    v.object({ seconds: int32, nanos: int32 }),
    v.transform(({ seconds, nanos }) => seconds * 1000 + nanos / 1e6),
  );
}

function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === "0" || value === false) return true;
  if (typeof value === "string") return value.endsWith("_UNSPECIFIED");
  // Unset messages and maps are absent, so an empty one was set.
  return Array.isArray(value) && value.length === 0;
}

function toCamelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
