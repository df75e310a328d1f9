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

/** Up to this many documents of a result are kept in order while documents are scanned: a page of a large collection sorts no more. */
const KEPT_MAX = 1000;

/** Returns the documents of a query in its order. Documents that lack a sort field are not in the result. */
export function runQuery(view: View, plan: Plan): StoredDocument[] {
  const candidates: Candidate[] = [];
  const wanted = plan.offset + plan.limit;
  for (const document of view.scan(plan.scope)) {
    if (!plan.matches(document)) continue;
    const values = sortValues(document, plan.order);
    if (values === undefined || !within(values, plan)) continue;
    if (wanted > KEPT_MAX) candidates.push({ document, values });
    else keepFirst(candidates, { document, values }, plan.order, wanted);
  }
  if (wanted > KEPT_MAX) candidates.sort((a, b) => compareCandidates(a, b, plan.order));
  return candidates.slice(plan.offset, plan.offset + plan.limit).map(({ document }) => document);
}

/** Puts a candidate in its place among the first ones, which are in order and at most `most`. Equal ones stay in the order in which they came. */
function keepFirst(first: Candidate[], candidate: Candidate, order: readonly SortKey[], most: number): void {
  const last = first.at(-1);
  if (most === 0 || (first.length === most && last && compareCandidates(last, candidate, order) <= 0)) return;
  let low = 0;
  for (let high = first.length; low < high; ) {
    const middle = (low + high) >>> 1;
    const other = first[middle];
    if (other && compareCandidates(other, candidate, order) <= 0) low = middle + 1;
    else high = middle;
  }
  first.splice(low, 0, candidate);
  if (first.length > most) first.pop();
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
