import { type Query, type QueryDocumentSnapshot, Timestamp } from "@google-cloud/firestore";
import * as v from "valibot";

/** The most values that Firestore takes with `in`. */
const VALUES_MAX = 30;

/** Returns queries that select, together, the documents of a query with one of these values of a field. */
export function withAnyOf(query: Query, field: string, values: readonly string[]): Query[] {
  return Array.from({ length: Math.ceil(values.length / VALUES_MAX) }, (_, index) =>
    query.where(field, "in", values.slice(index * VALUES_MAX, (index + 1) * VALUES_MAX)),
  );
}

/**
 * Returns the newest documents of some queries, newest first: by `createdAt`, then by id. Reads up to `limit` of each.
 * @param queries order by `createdAt` and id, both descending, and have no document in common
 */
export async function newestOf(queries: readonly Query[], limit: number): Promise<QueryDocumentSnapshot[]> {
  const found = (await Promise.all(queries.map((query) => query.limit(limit).get()))).map(({ docs }) => docs);
  const [only = [], ...others] = found;
  if (others.length === 0) return only;
  return found
    .flat()
    .map((document) => ({ document, at: v.parse(CreatedAt, document.get("createdAt")).valueOf() }))
    .sort((one, other) => descending(one.at, other.at) || descending(one.document.id, other.document.id))
    .slice(0, limit)
    .map(({ document }) => document);
}

/** Its `valueOf` is a text that sorts like the time, to the nanosecond. */
const CreatedAt = v.instance(Timestamp);

function descending(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? 1 : -1;
}
