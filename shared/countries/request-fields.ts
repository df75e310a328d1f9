import * as v from "valibot";
import { BBOX_PATTERN, parseBbox } from "../geometry/bbox.ts";
import { FIELD_ERRORS_MAX } from "../http/errors.ts";
import { WholeNumber } from "../http/fields.ts";
import { GEO_TYPES } from "./country-rules.ts";

export const GeoTypeName = v.pipe(v.picklist(GEO_TYPES), v.title("GeoType"));

/** A country code or an alias. A later check compares it with the country table. */
export const CountryCode = v.pipe(
  v.string(),
  v.title("CountryCode"),
  v.regex(/^[A-Za-z]{2,3}$/, "must be a country code of two or three letters, for example NOR"),
);

/** Returns what is wrong with a geography id, or undefined for a valid id. */
function idError(value: unknown): string | undefined {
  if (typeof value !== "number" && !(typeof value === "string" && /^\d{1,16}$/.test(value)))
    return "must be a geography id: a whole number, or its digits as a string; GET /geographies finds ids by name";
  const id = Number(value);
  if (!Number.isSafeInteger(id)) return "must be a whole number below 2^53";
  return id < 0 ? "must not be negative" : undefined;
}

/**
 * Reads ids as numbers, without duplicates, of which there may be so many. It stops at `FIELD_ERRORS_MAX` errors, since a body can consist of
 * invalid ids only.
 */
function readIds(most: number, tooMany: string) {
  return v.rawTransform<unknown[], number[]>(({ dataset: { value: input }, addIssue, NEVER }) => {
    const ids = new Set<number>();
    let errors = 0;
    for (const [key, value] of input.entries()) {
      const message = idError(value);
      if (message === undefined) {
        ids.add(Number(value));
        continue;
      }
      addIssue({ message, path: [{ type: "array", origin: "value", input, key, value }] });
      errors += 1;
      if (errors === FIELD_ERRORS_MAX) break;
    }
    if (ids.size > most) addIssue({ message: tooMany });
    // Too many are an issue already.
    return errors === 0 ? [...ids] : NEVER;
  });
}

/** @param none what is said of an empty list */
function geoIds(none: string) {
  return v.pipe(
    v.array(v.unknown(), "must be an array of geography ids"),
    v.minLength(1, none),
    v.metadata({
      maxItems: 10_000,
      items: {
        title: "GeoId",
        about: "A geography's id: a number, or its digits",
        anyOf: [
          { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
          { type: "string", pattern: "^[0-9]{1,15}$|^[0-8][0-9]{15}$" },
        ],
      },
    }),
    readIds(10_000, "must hold at most 10,000 ids"),
  );
}

/** Ids of a POST: 1 to 10,000 numbers or strings of digits. Duplicates count once. */
export const GeoIds = geoIds("must hold at least one id; leave it out to ask for every geography of the type");

/** The ids of a request in a response. Left out, as in a POST, they mean all geographies of the type. */
export const AskedIds = v.pipe(v.optional(v.array(WholeNumber)), v.description("Left out: all geographies of the type"));

/** Ids of a map, which cannot be left out. */
export const MapGeoIds = geoIds("must hold at least one id");

/** Returns what a comma separated or repeated parameter lists. */
function listed(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((text) => text.split(",").map((item) => item.trim()));
}

/** Ids of a GET: 1 to 500, comma separated, as a repeated parameter, or both. Duplicates count once. */
export const GeoIdsQuery = v.pipe(
  v.union([v.string(), v.array(v.string())], "must be geography ids, comma separated"),
  v.description("Comma separated or repeated, at most 500"),
  v.metadata({
    wire: {
      type: "array",
      items: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      minItems: 1,
      maxItems: 500,
    },
  }),
  v.transform((given): unknown[] => listed(given)),
  readIds(500, "must hold at most 500 ids"),
);

/** One id of a GET. */
export const GeoIdQuery = v.pipe(
  v.union([v.string(), v.array(v.string())], "must be one geography id"),
  v.description("One id"),
  v.metadata({ wire: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER } }),
  v.transform((given): unknown[] => listed(given)),
  readIds(1, "must be one id in a preview; POST /data-agg takes up to 10,000"),
);

/** A box of a GET, parsed to its sides. */
export const BboxText = v.pipe(
  v.string("must be given once, as west,south,east,north"),
  v.description("west,south,east,north in degrees: geographies that touch the box"),
  v.metadata({ pattern: BBOX_PATTERN, examples: ["24.7,59.4,24.8,59.5"] }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseBbox(dataset.value);
    if (parsed.ok) return parsed.bbox;
    for (const message of parsed.details) addIssue({ message });
    return NEVER;
  }),
);
