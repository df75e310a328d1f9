import { compareNames, compareText } from "./names.ts";
import { compareTimes } from "./time.ts";
import type { Fields, Value } from "./wire.ts";

/** The sort order of types in Firestore. Integers and doubles are one type. */
const TYPE_ORDER = {
  nullValue: 0,
  booleanValue: 1,
  integerValue: 2,
  doubleValue: 2,
  timestampValue: 3,
  stringValue: 4,
  bytesValue: 5,
  referenceValue: 6,
  geoPointValue: 7,
  arrayValue: 8,
  mapValue: 9,
} as const satisfies Record<Value["valueType"], number>;

/** Whether two values have the same type for a filter. Comparisons only match within a type. */
export function sameType(a: Value, b: Value): boolean {
  return TYPE_ORDER[a.valueType] === TYPE_ORDER[b.valueType];
}

/** Whether two values are equal for a filter: 1 equals 1.0, NaN equals NaN. */
export function equalValues(a: Value, b: Value): boolean {
  return sameType(a, b) && compareValues(a, b) === 0;
}

/** Compares any two values in Firestore's order. Negative if `a` comes first. */
export function compareValues(a: Value, b: Value): number {
  const byType = TYPE_ORDER[a.valueType] - TYPE_ORDER[b.valueType];
  if (byType !== 0) return byType;
  if (a.valueType === "stringValue" && b.valueType === "stringValue") return compareText(a.stringValue, b.stringValue);
  if (a.valueType === "booleanValue" && b.valueType === "booleanValue") return Number(a.booleanValue) - Number(b.booleanValue);
  if (a.valueType === "timestampValue" && b.valueType === "timestampValue") return compareTimes(a.timestampValue, b.timestampValue);
  if (a.valueType === "bytesValue" && b.valueType === "bytesValue") return Buffer.compare(a.bytesValue, b.bytesValue);
  if (a.valueType === "referenceValue" && b.valueType === "referenceValue") return compareNames(a.referenceValue, b.referenceValue);
  if (a.valueType === "geoPointValue" && b.valueType === "geoPointValue") {
    return a.geoPointValue.latitude - b.geoPointValue.latitude || a.geoPointValue.longitude - b.geoPointValue.longitude;
  }
  if (a.valueType === "arrayValue" && b.valueType === "arrayValue") return compareArrays(a.arrayValue.values, b.arrayValue.values);
  if (a.valueType === "mapValue" && b.valueType === "mapValue") return compareMaps(a.mapValue.fields, b.mapValue.fields);
  return compareNumbers(a, b);
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareValues(value, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: Fields, b: Fields): number {
  const left = Object.entries(a).sort(([x], [y]) => compareText(x, y));
  const right = Object.entries(b).sort(([x], [y]) => compareText(x, y));
  for (const [index, [key, value]] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareText(key, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Exact, also between an integer beyond 2^53 and a double. NaN comes first. */
function compareNumbers(a: Value, b: Value): number {
  const x = asNumber(a);
  const y = asNumber(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x));
  // Rounding to a double preserves order, so only equal doubles can hide different integers.
  if (x !== y) return x < y ? -1 : 1;
  if (Number.isSafeInteger(x) || !Number.isInteger(x)) return 0;
  const exact = asInteger(a) - asInteger(b);
  return exact === 0n ? 0 : exact < 0n ? -1 : 1;
}

function asNumber(value: Value): number {
  if (value.valueType === "doubleValue") return value.doubleValue;
  return value.valueType === "integerValue" ? Number(value.integerValue) : 0;
}

function asInteger(value: Value): bigint {
  return value.valueType === "integerValue" ? BigInt(value.integerValue) : BigInt(asNumber(value));
}

/** Whether two values are stored identically. Unlike in filters, 1 is not 1.0. A write without changes keeps the update time. */
export function identicalValues(a: Value, b: Value): boolean {
  if (a.valueType !== b.valueType) return false;
  if (a.valueType === "doubleValue" && b.valueType === "doubleValue") return Object.is(a.doubleValue, b.doubleValue);
  if (a.valueType === "arrayValue" && b.valueType === "arrayValue") {
    const others = b.arrayValue.values;
    return a.arrayValue.values.length === others.length && a.arrayValue.values.every((value, index) => identicalTo(value, others[index]));
  }
  if (a.valueType === "mapValue" && b.valueType === "mapValue") return identicalFields(a.mapValue.fields, b.mapValue.fields);
  return compareValues(a, b) === 0;
}

/** Applies `identicalValues` to whole documents. The order of keys does not matter. */
export function identicalFields(a: Fields, b: Fields): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const value = a[key];
    return value !== undefined && Object.hasOwn(b, key) && identicalTo(value, b[key]);
  });
}

function identicalTo(value: Value, other: Value | undefined): boolean {
  return other !== undefined && identicalValues(value, other);
}
