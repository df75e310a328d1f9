import type { StoredDocument } from "./document.ts";
import { compareText } from "./names.ts";
import { compareValues } from "./order.ts";
import type { Plan, SortKey } from "./plan.ts";
import type { View } from "./store.ts";
import type { Cursor, Value } from "./wire.ts";

interface Candidate {
  readonly document: StoredDocument;
  readonly values: readonly Value[];
}

/** Returns the documents of a query in its order. Documents that lack a sort field are not in the result. */
export function runQuery(view: View, plan: Plan): StoredDocument[] {
  const candidates: Candidate[] = [];
  for (const document of view.scan(plan.scope)) {
    if (!plan.matches(document)) continue;
    const values = sortValues(document, plan.order);
    if (values !== undefined && within(values, plan)) candidates.push({ document, values });
  }
  candidates.sort((a, b) => compareCandidates(a, b, plan.order));
  return candidates.slice(plan.offset, plan.offset + plan.limit).map(({ document }) => document);
}

function sortValues(document: StoredDocument, order: readonly SortKey[]): Value[] | undefined {
  const values: Value[] = [];
  for (const key of order) {
    const value = key.read(document);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function compareCandidates(a: Candidate, b: Candidate, order: readonly SortKey[]): number {
  for (const [index, { fieldPath, sign }] of order.entries()) {
    const byName = fieldPath === "__name__" && a.document.collection === b.document.collection;
    const found = byName ? compareText(a.document.id, b.document.id) : comparePair(a.values[index], b.values[index]);
    if (found !== 0) return found * sign;
  }
  return 0;
}

function comparePair(a: Value | undefined, b: Value | undefined): number {
  return a === undefined || b === undefined ? 0 : compareValues(a, b);
}

/** Whether a document lies between the cursors. `before` places the cursor just before the documents with its values. */
function within(values: readonly Value[], { startAt, endAt, order }: Plan): boolean {
  if (startAt !== null) {
    const side = sideOf(values, startAt, order);
    if (side < 0 || (side === 0 && !startAt.before)) return false;
  }
  if (endAt !== null) {
    const side = sideOf(values, endAt, order);
    if (side > 0 || (side === 0 && endAt.before)) return false;
  }
  return true;
}

function sideOf(values: readonly Value[], cursor: Cursor, order: readonly SortKey[]): number {
  for (const [index, wanted] of cursor.values.entries()) {
    const found = comparePair(values[index], wanted);
    if (found !== 0) return found * (order[index]?.sign ?? 1);
  }
  return 0;
}
