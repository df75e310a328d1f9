import { parseFieldPath, valueAt, withValueAt } from "./field-path.ts";
import { compareValues, equalValues } from "./order.ts";
import { invalid } from "./refusal.ts";
import { toWire } from "./time.ts";
import type { Fields, FieldTransform, Value } from "./wire.ts";

const NULL: Value = { valueType: "nullValue", nullValue: "NULL_VALUE" };
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Applies server-side transforms in order. Returns the new fields and the result of each transform. */
export function applyTransforms(
  fields: Fields,
  transforms: readonly FieldTransform[],
  time: number,
): { readonly fields: Fields; readonly results: readonly Value[] } {
  const results: Value[] = [];
  let changed = fields;
  for (const transform of transforms) {
    const path = parseFieldPath(transform.fieldPath);
    const { value, result } = transformed(valueAt(changed, path), transform, time);
    changed = withValueAt(changed, path, value);
    results.push(result);
  }
  return { fields: changed, results };
}

function transformed(current: Value | undefined, transform: FieldTransform, time: number): { value: Value; result: Value } {
  const { increment, maximum, minimum, appendMissingElements, removeAllFromArray } = transform;
  if (transform.setToServerValue === "REQUEST_TIME") return answered(requestTime(time));
  if (increment !== undefined) return answered(sum(current, number(increment)));
  if (maximum !== undefined) return answered(extreme(current, number(maximum), 1));
  if (minimum !== undefined) return answered(extreme(current, number(minimum), -1));
  const old = current?.valueType === "arrayValue" ? current.arrayValue.values : [];
  if (appendMissingElements !== undefined) return { value: array(union(old, appendMissingElements.values)), result: NULL };
  if (removeAllFromArray !== undefined) {
    const removed = removeAllFromArray.values;
    return { value: array(old.filter((value) => !removed.some((other) => equalValues(value, other)))), result: NULL };
  }
  throw invalid(`The transform of "${transform.fieldPath}" is of an unknown kind.`);
}

const answered = (value: Value) => ({ value, result: value });
const array = (values: readonly Value[]): Value => ({ valueType: "arrayValue", arrayValue: { values } });

/** Server timestamps have millisecond precision. */
function requestTime(time: number): Value {
  return { valueType: "timestampValue", timestampValue: toWire(time - (time % 1000)) };
}

function number(value: Value): Value {
  if (value.valueType !== "integerValue" && value.valueType !== "doubleValue")
    throw invalid("The operand of a numeric transform must be a number.");
  return value;
}

/** Integers stay integers and saturate at 64 bits. A field that is not a number counts as absent. */
function sum(current: Value | undefined, operand: Value): Value {
  if (current?.valueType === "integerValue" && operand.valueType === "integerValue") {
    const exact = BigInt(current.integerValue) + BigInt(operand.integerValue);
    const held = exact > INT64_MAX ? INT64_MAX : exact < INT64_MIN ? INT64_MIN : exact;
    return { valueType: "integerValue", integerValue: held.toString() };
  }
  const left = numeric(current);
  const right = numeric(operand);
  return left === undefined || right === undefined ? operand : { valueType: "doubleValue", doubleValue: left + right };
}

/** The larger number (`sign` 1) or the smaller (-1). Of equal ones the current stays. NaN is the extreme of all. */
function extreme(current: Value | undefined, operand: Value, sign: 1 | -1): Value {
  const held = numeric(current);
  if (current === undefined || held === undefined) return operand;
  if (Number.isNaN(held) || Number.isNaN(numeric(operand))) return Number.isNaN(held) ? current : operand;
  return compareValues(operand, current) * sign > 0 ? operand : current;
}

function numeric(value: Value | undefined): number | undefined {
  if (value?.valueType === "doubleValue") return value.doubleValue;
  return value?.valueType === "integerValue" ? Number(value.integerValue) : undefined;
}

function union(old: readonly Value[], added: readonly Value[]): Value[] {
  const all = [...old];
  for (const value of added) if (!all.some((other) => equalValues(value, other))) all.push(value);
  return all;
}
