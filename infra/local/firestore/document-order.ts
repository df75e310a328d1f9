import type { StoredDocument } from "./document.ts";
import { compareText } from "./names.ts";
import { compareValues, sameType } from "./order.ts";
import type { Condition, Plan, SortKey } from "./plan.ts";
import type { Cursor, Value } from "./wire.ts";

/** Whether a document has all sort fields. Others are in no result. */
export function isSortable(document: StoredDocument, order: readonly SortKey[]): boolean {
  return order.every(({ read }) => read(document) !== undefined);
}

/** Compares documents in an order that ends with their names: only states of the same document are equal. */
export function compareDocuments(a: StoredDocument, b: StoredDocument, order: readonly SortKey[]): number {
  for (const { fieldPath, read, sign } of order) {
    const byId = fieldPath === "__name__" && a.collection === b.collection;
    const found = byId ? compareText(a.id, b.id) : comparePair(read(a), read(b));
    if (found !== 0) return found * sign;
  }
  return 0;
}

/** Where a document lies in the order of a query: negative before the part between the cursors, positive after it, else 0. */
export function sideOfCursors(document: StoredDocument, { order, startAt, endAt }: Plan): number {
  if (startAt !== null) {
    const side = sideOfCursor(document, startAt, order);
    if (side < 0 || (side === 0 && !startAt.before)) return -1;
  }
  if (endAt !== null) {
    const side = sideOfCursor(document, endAt, order);
    if (side > 0 || (side === 0 && endAt.before)) return 1;
  }
  return 0;
}

/** The same for the part where the first sort field also meets its inequalities: outside it there are no results. */
export function sideOfResults(document: StoredDocument, plan: Plan): number {
  const side = sideOfCursors(document, plan);
  const [first] = plan.order;
  const held = first?.read(document);
  if (side !== 0 || first === undefined || held === undefined) return side;
  for (const condition of plan.required) {
    const sideOfValue = condition.fieldPath === first.fieldPath ? sideOfValues(held, condition) : 0;
    if (sideOfValue !== 0) return sideOfValue * first.sign;
  }
  return 0;
}

/** Where a value lies in ascending order: negative before those that meet an inequality, positive after them. 0 for other operators. */
function sideOfValues(held: Value, { op, value }: Condition): number {
  const found = compareValues(held, value);
  switch (op) {
    case "LESS_THAN":
      return found >= 0 ? 1 : unlessOfType(held, value, -1);
    case "LESS_THAN_OR_EQUAL":
      return found > 0 ? 1 : unlessOfType(held, value, -1);
    case "GREATER_THAN":
      return found <= 0 ? -1 : unlessOfType(held, value, 1);
    case "GREATER_THAN_OR_EQUAL":
      return found < 0 ? -1 : unlessOfType(held, value, 1);
    default:
      return 0;
  }
}

/** Values of other types meet no inequality: they lie beyond the end that it leaves open. */
function unlessOfType(held: Value, value: Value, side: 1 | -1): number {
  return sameType(held, value) ? 0 : side;
}

function sideOfCursor(document: StoredDocument, cursor: Cursor, order: readonly SortKey[]): number {
  for (const [index, wanted] of cursor.values.entries()) {
    const key = order[index];
    const found = comparePair(key?.read(document), wanted);
    if (found !== 0) return found * (key?.sign ?? 1);
  }
  return 0;
}

function comparePair(a: Value | undefined, b: Value | undefined): number {
  return a === undefined || b === undefined ? 0 : compareValues(a, b);
}
