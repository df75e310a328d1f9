import { firstWhere } from "./bisect.ts";
import type { StoredDocument } from "./document.ts";
import { compareDocuments, isSortable, sideOfCursors } from "./document-order.ts";
import type { Plan, SortKey } from "./plan.ts";
import { inScope } from "./scope.ts";
import type { View } from "./store.ts";

/** Up to this many documents of a result are kept in order while documents are scanned: a page of a large collection sorts no more. */
const KEPT_MAX = 1000;

/** Returns the documents of a query in its order. Documents that lack a sort field are not in the result. */
export function runQuery(view: View, plan: Plan): StoredDocument[] {
  const sorted = view.sorted(plan);
  return sorted === undefined ? fromAll(view.scan(plan.scope), plan) : fromSorted(sorted, plan);
}

/** `sorted` are in the query's order, so only its results and what the filter leaves out between them is read. */
function fromSorted(sorted: Iterable<StoredDocument>, { scope, matches, offset, limit }: Plan): StoredDocument[] {
  const results: StoredDocument[] = [];
  let skipped = 0;
  if (limit === 0) return results;
  for (const document of sorted) {
    if (!inScope(scope, document) || !matches(document)) continue;
    if (skipped < offset) skipped += 1;
    else if (results.push(document) === limit) break;
  }
  return results;
}

function fromAll(documents: Iterable<StoredDocument>, plan: Plan): StoredDocument[] {
  const found: StoredDocument[] = [];
  const { order, offset, limit } = plan;
  const wanted = offset + limit;
  for (const document of documents) {
    if (!plan.matches(document) || !isSortable(document, order) || sideOfCursors(document, plan) !== 0) continue;
    if (wanted > KEPT_MAX) found.push(document);
    else keepFirst(found, document, order, wanted);
  }
  if (wanted > KEPT_MAX) found.sort((a, b) => compareDocuments(a, b, order));
  return found.slice(offset, wanted);
}

/** Puts a document in its place among the first ones, which are in order and at most `most`. */
function keepFirst(first: StoredDocument[], document: StoredDocument, order: readonly SortKey[], most: number): void {
  const place = firstWhere(first.length, (position) => {
    const other = first[position];
    return other !== undefined && compareDocuments(other, document, order) > 0;
  });
  if (place === most) return;
  first.splice(place, 0, document);
  if (first.length > most) first.pop();
}
