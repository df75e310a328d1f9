import { type Query, type QueryDocumentSnapshot, Timestamp } from "@google-cloud/firestore";
import * as v from "valibot";

/** The most values that Firestore takes with `in`. */
const VALUES_MAX = 30;

/**
 * Returns the newest documents with one of these values of a field, newest first: by `createdAt`, then by id. Reads as many for every thirty
 * values, since Firestore takes no more in one query.
 * @param query orders by `createdAt` and id, both descending
 */
export async function newestWith(
  query: (narrow: (all: Query) => Query) => Query,
  field: string,
  values: readonly string[],
  limit: number,
): Promise<QueryDocumentSnapshot[]> {
  const groups = Array.from({ length: Math.ceil(values.length / VALUES_MAX) }, (_, index) =>
    values.slice(index * VALUES_MAX, (index + 1) * VALUES_MAX),
  );
  const found = await Promise.all(
    groups.map((group) =>
      query((all) => all.where(field, "in", group))
        .limit(limit)
        .get(),
    ),
  );
  return found
    .flatMap(({ docs }) => docs.map((document) => ({ document, at: v.parse(CreatedAt, document.get("createdAt")).valueOf() })))
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
