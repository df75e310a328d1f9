import { Timestamp } from "@google-cloud/firestore";
import * as v from "valibot";

/** The fields of a document. */
export const Fields = v.record(v.string(), v.unknown());
/** Documents by their path. */
export const Documents = v.record(v.string(), Fields);

/** Documents of a customer as a release wrote them, by their path, in the main database and in that of what is noted about requests. */
export const Recorded = v.object({
  uid: v.string(),
  main: Documents,
  usage: Documents,
});
export type Recorded = v.InferOutput<typeof Recorded>;

const Time = v.strictObject({ $time: v.string() });

/** Returns a document's value as JSON: a timestamp as `{ "$time": … }`, to the millisecond. */
export function toJson(value: unknown): unknown {
  if (value instanceof Timestamp) return { $time: value.toDate().toISOString() };
  return mapped(value, toJson);
}

/** Returns the value that `toJson` has written. */
export function fromJson(value: unknown): unknown {
  const time = v.safeParse(Time, value);
  return time.success ? Timestamp.fromDate(new Date(time.output.$time)) : mapped(value, fromJson);
}

/** Applies a function to the parts of an array or a map; any other value stays as it is. */
function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  const fields = value === null || typeof value !== "object" ? undefined : v.parse(Fields, value);
  return fields ? Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, change(part)])) : value;
}
