import * as v from "valibot";
import { FIELD_ERRORS_MAX } from "../http/errors.ts";
import { GEO_TYPES } from "./country-rules.ts";

export const GeoTypeName = v.picklist(GEO_TYPES);

/** The code of a country or an alias; which ones exist is data, so it is checked against the country table later. */
export const CountryCode = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z]{2,3}$/, "must be a country code of two or three letters, for example NOR"),
);

/** What is wrong with a geography's id; undefined when nothing is. */
function idFault(value: unknown): string | undefined {
  if (typeof value !== "number" && !(typeof value === "string" && /^\d{1,16}$/.test(value)))
    return "must be a geography id: a whole number, or its digits as a string";
  const id = Number(value);
  if (!Number.isSafeInteger(id)) return "must be a whole number below 2^53";
  return id < 0 ? "must not be negative" : undefined;
}

/** Reads ids as numbers, each once. It ends where no further fault would be listed: a body may hold nothing but wrong ones. */
const readIds = v.rawTransform<unknown[], number[]>(({ dataset: { value: input }, addIssue, NEVER }) => {
  const ids = new Set<number>();
  let faults = 0;
  for (const [key, value] of input.entries()) {
    const message = idFault(value);
    if (message === undefined) {
      ids.add(Number(value));
      continue;
    }
    addIssue({ message, path: [{ type: "array", origin: "value", input, key, value }] });
    faults += 1;
    if (faults === FIELD_ERRORS_MAX) break;
  }
  return faults === 0 ? [...ids] : NEVER;
});

/** Ids of a POST: numbers or strings of digits, 1 to 10,000 of them; duplicates count once. */
export const GeoIds = v.pipe(
  v.array(v.unknown(), "must be an array of geography ids"),
  v.minLength(1, "must hold at least one id; leave it out to ask for every geography of the type"),
  v.maxLength(10_000, "must hold at most 10,000 ids"),
  v.metadata({
    items: {
      anyOf: [
        { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: "string", pattern: "^\\d{1,16}$" },
      ],
    },
  }),
  readIds,
);

/** Ids of a GET: comma separated, the parameter repeated, or both; 1 to 500 of them; duplicates count once. */
export const GeoIdsQuery = v.pipe(
  v.union([v.string(), v.array(v.string())], "must be geography ids, comma separated"),
  v.description("Comma separated or repeated, at most 500"),
  v.transform((given): unknown[] => [given].flat().flatMap((text) => text.split(",").map((id) => id.trim()))),
  v.maxLength(500, "must hold at most 500 ids"),
  readIds,
);
