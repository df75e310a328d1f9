import * as v from "valibot";

/** Returns the schema of a page size in a query: a whole number from 1 to `most`. */
export function limitUpTo(most: number, description: string) {
  // Only for an error: the locale data of Intl takes 9 ms of a cold start.
  const message = () => `must be a whole number from 1 to ${most.toLocaleString("en")}`;
  return v.pipe(
    v.string(message),
    v.description(description),
    v.metadata({ wire: { type: "integer", minimum: 1, maximum: most } }),
    v.regex(/^\d{1,5}$/, message),
    v.transform(Number),
    v.minValue(1, message),
    v.maxValue(most, message),
  );
}

/** The cursor of a page, in a query. */
export const Cursor = v.pipe(
  v.string("must be the next_cursor of a page"),
  v.regex(/^[A-Za-z0-9_-]{1,200}$/, "must be the next_cursor of a page"),
  v.description("next_cursor of the previous page; keep the other parameters unchanged"),
);

/** The cursor of the next page, in a response. */
export const NextCursor = v.pipe(v.nullable(v.string()), v.description("The cursor of the next page; null on the last page"));
