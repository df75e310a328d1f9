import { project } from "./field-path.ts";
import { type DocumentName, splitName } from "./names.ts";
import { invalid } from "./refusal.ts";
import { toWire } from "./time.ts";
import type { Fields, Mask, Value, WireDocument } from "./wire.ts";

/** A stored document. It is immutable. Times are in microseconds; `size` is in bytes by Firestore's rules. */
export interface StoredDocument extends DocumentName {
  readonly fields: Fields;
  readonly createTime: number;
  readonly updateTime: number;
  readonly size: number;
}

/** New document states by name. Undefined means deleted. */
export type Changes = ReadonlyMap<string, StoredDocument | undefined>;

export function wireDocument(document: StoredDocument, mask: Mask | null): WireDocument {
  return {
    name: document.name,
    fields: project(document.fields, mask),
    createTime: toWire(document.createTime),
    updateTime: toWire(document.updateTime),
  };
}

const DOCUMENT_BYTES_MAX = 1_048_576;
const PROPERTY_BYTES_MAX = DOCUMENT_BYTES_MAX - 89;
const DEPTH_MAX = 20;
const DOCUMENT_OVERHEAD = 32;
const NAME_OVERHEAD = 16;

/**
 * Checks a document's fields, truncates their timestamps to microseconds in place, and returns the document's size in bytes. Throws
 * INVALID_ARGUMENT for reserved names, nested arrays, excessive depth and excessive size.
 */
export function checkFields(name: string, fields: Fields): number {
  const size = nameSize(name) + DOCUMENT_OVERHEAD + fieldsSize(fields, 0);
  if (size > DOCUMENT_BYTES_MAX) {
    throw invalid(
      `Document "${name}" cannot be written because its size (${size.toLocaleString("en-US")} bytes) exceeds the maximum allowed size of 1,048,576 bytes.`,
    );
  }
  return size;
}

function fieldsSize(fields: Fields, depth: number): number {
  let size = 0;
  for (const [key, value] of Object.entries(fields)) {
    if (key === "") throw invalid("field name is empty");
    if (/^__.*__$/s.test(key)) throw invalid(`field name ${key} is reserved`);
    size += Buffer.byteLength(key) + 1 + valueSize(key, value, depth);
  }
  return size;
}

/** Source of the sizes: Google's "Understand storage size calculations". */
function valueSize(property: string, value: Value, depth: number): number {
  switch (value.valueType) {
    case "nullValue":
    case "booleanValue":
      return 1;
    case "integerValue":
    case "doubleValue":
      return 8;
    case "timestampValue":
      value.timestampValue.nanos -= value.timestampValue.nanos % 1000;
      return 8;
    case "geoPointValue":
      return 16;
    case "stringValue":
      return bounded(property, Buffer.byteLength(value.stringValue)) + 1;
    case "bytesValue":
      return bounded(property, value.bytesValue.length);
    case "referenceValue":
      return nameSize(value.referenceValue);
    case "arrayValue":
      return arraySize(property, value.arrayValue.values, depth + 1);
    case "mapValue":
      if (depth >= DEPTH_MAX) throw tooDeep(property);
      return fieldsSize(value.mapValue.fields, depth + 1);
    default:
      throw invalid(`The value of property "${property}" has a type that is not stored.`);
  }
}

function arraySize(property: string, values: readonly Value[], depth: number): number {
  if (depth > DEPTH_MAX) throw tooDeep(property);
  let size = 0;
  for (const value of values) {
    if (value.valueType === "arrayValue") throw invalid("Cannot convert an array value in an array value.");
    size += valueSize(property, value, depth);
  }
  return size;
}

function bounded(property: string, bytes: number): number {
  if (bytes > PROPERTY_BYTES_MAX) throw invalid(`The value of property "${property}" is longer than ${PROPERTY_BYTES_MAX} bytes.`);
  return bytes;
}

function nameSize(name: string): number {
  return splitName(name)
    .path.split("/")
    .reduce((size, segment) => size + Buffer.byteLength(segment) + 1, NAME_OVERHEAD);
}

function tooDeep(property: string): Error {
  return invalid(`Property ${property} contains an invalid nested entity.`);
}
