import * as v from "valibot";

/** How many a page holds: a whole number of digits in a query, from 1 to `most`. */
export function limitUpTo(most: number, description: string) {
  const fault = `must be a whole number from 1 to ${most.toLocaleString("en")}`;
  return v.pipe(
    v.string(fault),
    v.description(description),
    v.regex(/^\d{1,4}$/, fault),
    v.transform(Number),
    v.minValue(1, fault),
    v.maxValue(most, fault),
  );
}

/** Where a page begins, in a query. */
export const Cursor = v.pipe(
  v.string("must be given once"),
  v.description("next_cursor of the page before; the other parameters as they were"),
);

/** Where the next page begins, in a response. */
export const NextCursor = v.pipe(v.nullable(v.string()), v.description("Leads to the next page; null on the last one"));
