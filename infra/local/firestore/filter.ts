import type { StoredDocument } from "./document.ts";
import { parseFieldPath, valueAt } from "./field-path.ts";
import { compareValues, equalValues, sameType } from "./order.ts";
import { invalid } from "./refusal.ts";
import type { FieldOperator, FieldReference, Filter, Value } from "./wire.ts";

export type Matches = (document: StoredDocument) => boolean;
export type FieldOf = (document: StoredDocument) => Value | undefined;

/** Returns the reader of a field. `__name__` reads the document's own reference. Throws INVALID_ARGUMENT. */
export function fieldReader(field: FieldReference | null | undefined): FieldOf {
  if (!field) throw invalid("A field reference is missing.");
  if (field.fieldPath === "__name__") return (document) => ({ valueType: "referenceValue", referenceValue: document.name });
  const path = parseFieldPath(field.fieldPath);
  const [only] = path;
  // Most fields: read for every document of a sort.
  if (path.length === 1 && only !== undefined) return ({ fields }) => (Object.hasOwn(fields, only) ? fields[only] : undefined);
  return (document) => valueAt(document.fields, path);
}

/** Compiles a filter to a predicate. A null filter matches all documents. Throws INVALID_ARGUMENT for a malformed filter. */
export function compileFilter(filter: Filter | null): Matches {
  if (filter === null) return () => true;
  if (filter.compositeFilter) {
    const parts = filter.compositeFilter.filters.map(compileFilter);
    if (parts.length === 0) throw invalid("A composite filter must have at least one sub-filter.");
    if (filter.compositeFilter.op === "OR") return (document) => parts.some((matches) => matches(document));
    if (filter.compositeFilter.op === "AND") return (document) => parts.every((matches) => matches(document));
    throw invalid("A composite filter must have an operator.");
  }
  if (filter.unaryFilter) return compileUnary(filter.unaryFilter.op, fieldReader(filter.unaryFilter.field));
  if (!filter.fieldFilter?.value) throw invalid("A filter must have a type and a value.");
  const { field, op, value } = filter.fieldFilter;
  if (field?.fieldPath === "__name__") checkNameOperand(op, value);
  const read = fieldReader(field);
  const test = compileTest(op, value);
  return (document) => {
    const held = read(document);
    return held !== undefined && test(held);
  };
}

function compileUnary(op: string, read: FieldOf): Matches {
  const test = {
    IS_NULL: isNull,
    IS_NAN: isNotANumber,
    IS_NOT_NULL: (value: Value) => !isNull(value),
    IS_NOT_NAN: (value: Value) => !isNull(value) && !isNotANumber(value),
  };
  if (op !== "IS_NULL" && op !== "IS_NAN" && op !== "IS_NOT_NULL" && op !== "IS_NOT_NAN")
    throw invalid("A unary filter must have an operator.");
  return (document) => {
    const value = read(document);
    return value !== undefined && test[op](value);
  };
}

const isNull = (value: Value) => value.valueType === "nullValue";
const isNotANumber = (value: Value) => value.valueType === "doubleValue" && Number.isNaN(value.doubleValue);
/** Ranges and lists never match null and NaN; only the unary filters do. */
const isOrdinary = (value: Value) => !isNull(value) && !isNotANumber(value);
const inRange = (held: Value, operand: Value) => sameType(held, operand) && isOrdinary(held) && isOrdinary(operand);

function compileTest(op: FieldOperator, operand: Value): (held: Value) => boolean {
  switch (op) {
    case "EQUAL":
      return (held) => equalValues(held, operand);
    case "NOT_EQUAL":
      return (held) => !isNull(held) && !equalValues(held, operand);
    case "LESS_THAN":
      return (held) => inRange(held, operand) && compareValues(held, operand) < 0;
    case "LESS_THAN_OR_EQUAL":
      return (held) => inRange(held, operand) && compareValues(held, operand) <= 0;
    case "GREATER_THAN":
      return (held) => inRange(held, operand) && compareValues(held, operand) > 0;
    case "GREATER_THAN_OR_EQUAL":
      return (held) => inRange(held, operand) && compareValues(held, operand) >= 0;
    case "ARRAY_CONTAINS":
      return (held) => elements(held).some((element) => equalValues(element, operand));
    case "ARRAY_CONTAINS_ANY": {
      const wanted = list(op, operand, 30);
      return (held) => elements(held).some((element) => wanted.some((value) => equalValues(element, value)));
    }
    case "IN": {
      const wanted = list(op, operand, 30).filter(isOrdinary);
      return (held) => wanted.some((value) => equalValues(held, value));
    }
    case "NOT_IN": {
      const unwanted = list(op, operand, 10);
      if (unwanted.some(isNull)) return () => false;
      const ordinary = unwanted.filter(isOrdinary);
      return (held) => !isNull(held) && !ordinary.some((value) => equalValues(held, value));
    }
    default:
      throw invalid("A field filter must have an operator.");
  }
}

const elements = (value: Value): readonly Value[] => (value.valueType === "arrayValue" ? value.arrayValue.values : []);

function list(op: FieldOperator, operand: Value, most: number): readonly Value[] {
  if (operand.valueType !== "arrayValue" || operand.arrayValue.values.length === 0)
    throw invalid(`'${op}' requires an non-empty ArrayValue.`);
  if (operand.arrayValue.values.length > most) throw invalid(`'${op}' supports up to ${most} comparison values.`);
  return operand.arrayValue.values;
}

function checkNameOperand(op: FieldOperator, value: Value): void {
  const operands = op === "IN" || op === "NOT_IN" ? elements(value) : [value];
  if (operands.some((operand) => operand.valueType !== "referenceValue")) throw invalid("__key__ filter value must be a Key");
}
