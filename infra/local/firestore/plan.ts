import { status } from "@grpc/grpc-js";
import { checkDisjunctions } from "./disjunctions.ts";
import { compileFilter, type FieldOf, fieldReader, type Matches } from "./filter.ts";
import { checkId, parseParent } from "./names.ts";
import { invalid, Refusal, unsupported } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import type { Cursor, FieldOperator, Filter, Mask, Order, StructuredQuery, Value } from "./wire.ts";

/** One sort key of a query. `sign` is 1 for ascending, -1 for descending. */
export interface SortKey {
  readonly fieldPath: string;
  readonly read: FieldOf;
  readonly sign: 1 | -1;
}

/** A comparison of a field with a value. */
export interface Condition {
  readonly fieldPath: string;
  readonly op: FieldOperator;
  readonly value: Value;
}

/** A checked query with its implicit parts made explicit, ready to run on any view of the documents. */
export interface Plan {
  readonly scope: Scope;
  readonly matches: Matches;
  /** Conditions that every result meets. The filter may demand more. */
  readonly required: readonly Condition[];
  readonly order: readonly SortKey[];
  /** Fields with a filter other than an inequality. */
  readonly equalities: readonly string[];
  readonly startAt: Cursor | null;
  readonly endAt: Cursor | null;
  readonly offset: number;
  readonly limit: number;
  readonly mask: Mask | null;
}

const INEQUALITIES = new Set(["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "NOT_EQUAL", "NOT_IN"]);
const ALONE = new Set(["NOT_EQUAL", "NOT_IN", "IS_NOT_NAN", "IS_NOT_NULL"]);

/**
 * Plans a query below a parent (a document or the root), limited to documents that have the aggregated fields. Throws INVALID_ARGUMENT,
 * FAILED_PRECONDITION for an unsupported order, and UNIMPLEMENTED for vector search.
 */
export function planQuery(parent: string, query: StructuredQuery | undefined, aggregated: readonly string[] = []): Plan {
  if (query === undefined) throw invalid("A query is missing.");
  if (query.findNearest !== null) throw unsupported("Vector search");
  if (query.offset < 0) throw invalid("offset is negative");
  if (query.limit !== null && query.limit.value < 0) throw invalid("limit is negative");
  const operations = leaves(query.where);
  checkCombination(query.where, operations);
  const matches = compileFilter(query.where);
  checkDisjunctions(query.where);
  const order = fullOrder(query.orderBy, operations, aggregated);
  if (order[0]?.fieldPath === "__name__" && order[0].sign === -1 && operations.every(({ fieldPath }) => fieldPath === "__name__")) {
    throw new Refusal(status.FAILED_PRECONDITION, "Firestore does not support descending key scans");
  }
  checkCursor(query.startAt, order);
  checkCursor(query.endAt, order);
  return {
    scope: scopeOf(parent, query),
    matches,
    required: conditions(query.where),
    order,
    equalities: operations.filter(({ op }) => !INEQUALITIES.has(op) && !ALONE.has(op)).map(({ fieldPath }) => fieldPath),
    startAt: query.startAt,
    endAt: query.endAt,
    offset: query.offset,
    limit: query.limit?.value ?? Number.POSITIVE_INFINITY,
    mask: query.select === null ? null : { fieldPaths: query.select.fields.map((field) => field.fieldPath) },
  };
}

function scopeOf(parent: string, query: StructuredQuery): Scope {
  parseParent(parent);
  const [from, ...more] = query.from;
  if (from === undefined || more.length > 0) throw invalid("A query must have exactly one collection selector.");
  if (from.collectionId !== "") checkId(from.collectionId, parent);
  if (!from.allDescendants && from.collectionId === "") throw invalid("A query must name a collection.");
  if (!from.allDescendants) return { kind: "collection", collection: `${parent}/${from.collectionId}` };
  return from.collectionId === "" ? { kind: "all", below: parent } : { kind: "group", below: parent, collectionId: from.collectionId };
}

interface Operation {
  readonly op: string;
  readonly fieldPath: string;
}

function leaves(filter: Filter | null): Operation[] {
  if (filter?.compositeFilter) return filter.compositeFilter.filters.flatMap(leaves);
  const { field, op } = filter?.fieldFilter ?? filter?.unaryFilter ?? { field: undefined, op: "" };
  return field ? [{ op, fieldPath: field.fieldPath }] : [];
}

/** The comparisons of a filter that are not one alternative of several. */
function conditions(filter: Filter | null): Condition[] {
  if (filter?.compositeFilter) return filter.compositeFilter.op === "AND" ? filter.compositeFilter.filters.flatMap(conditions) : [];
  const { field, op, value } = filter?.fieldFilter ?? {};
  return field && op && value ? [{ fieldPath: field.fieldPath, op, value }] : [];
}

/** Checks which operators can be combined. The error texts are the real service's. */
function checkCombination(where: Filter | null, operations: readonly Operation[]): void {
  const count = (...ops: string[]) => operations.filter(({ op }) => ops.includes(op)).length;
  if (operations.filter(({ op }) => ALONE.has(op)).length > 1) {
    throw invalid("Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.");
  }
  if (count("NOT_IN") > 0 && (count("IN", "ARRAY_CONTAINS_ANY") > 0 || hasOr(where))) {
    throw invalid("'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.");
  }
  if (arrayContainsMost(where) > 1) {
    throw invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.");
  }
}

/** Returns the largest number of array filters in one disjunct. */
function arrayContainsMost(filter: Filter | null): number {
  const counts = filter?.compositeFilter?.filters.map(arrayContainsMost) ?? [];
  if (filter?.compositeFilter?.op === "OR") return Math.max(0, ...counts);
  const own = filter?.fieldFilter?.op.startsWith("ARRAY_CONTAINS") ? 1 : 0;
  return counts.reduce((sum, count) => sum + count, own);
}

function hasOr(filter: Filter | null): boolean {
  const composite = filter?.compositeFilter;
  return composite !== undefined && ((composite.op === "OR" && composite.filters.length > 1) || composite.filters.some(hasOr));
}

/** Returns the explicit order, then every field with an inequality or aggregation, then the name. This is the real service's order. */
function fullOrder(explicit: readonly Order[], operations: readonly Operation[], aggregated: readonly string[]): SortKey[] {
  const keys: SortKey[] = explicit.map(({ field, direction }) => ({
    fieldPath: field?.fieldPath ?? "",
    read: fieldReader(field),
    sign: direction === "DESCENDING" ? -1 : 1,
  }));
  const sign = keys.at(-1)?.sign ?? 1;
  const isSorted = (fieldPath: string) => keys.some((key) => key.fieldPath === fieldPath);
  const unequal = operations.filter(({ op }) => INEQUALITIES.has(op) || ALONE.has(op)).map(({ fieldPath }) => fieldPath);
  if (isSorted("__name__") && !unequal.every(isSorted)) throw invalid("order by clause cannot contain more fields after the key");
  const implied = [...unequal.sort(), ...aggregated].filter((path) => path !== "__name__");
  for (const fieldPath of [...implied, "__name__"]) {
    if (!isSorted(fieldPath)) keys.push({ fieldPath, read: fieldReader({ fieldPath }), sign });
  }
  return keys;
}

function checkCursor(cursor: Cursor | null, order: readonly SortKey[]): void {
  if (cursor === null) return;
  if (cursor.values.length > order.length) throw invalid("order by clause cannot contain fewer fields than the cursor has values");
  for (const [index, value] of cursor.values.entries()) {
    if (order[index]?.fieldPath === "__name__" && value.valueType !== "referenceValue") throw invalid("__key__ cursor value must be a Key");
  }
}
