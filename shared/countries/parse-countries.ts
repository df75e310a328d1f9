import * as v from "valibot";
import { CRS_EXTENTS, CRSS } from "../geometry/crs.ts";
import type { CountryTable } from "./country-rules.ts";
import { ruleError } from "./rule-errors.ts";
import { hasUtcOffsets } from "./utc-offsets.ts";

let zones: ReadonlySet<string> | undefined;

const TimeZone = v.pipe(
  v.string(),
  v.check((zone) => {
    if (hasUtcOffsets(zone)) return true;
    zones ??= new Set([...Intl.supportedValuesOf("timeZone"), "UTC"]);
    return zones.has(zone);
  }, "must be an IANA time zone, for example Europe/Oslo"),
);

/** West, south, east, north in degrees. */
const Box = v.pipe(
  v.strictTuple([v.number(), v.number(), v.number(), v.number()]),
  v.check(([west, south, east, north]) => west < east && south < north, "must be west, south, east, north in degrees"),
);

const GridRule = v.pipe(
  v.strictObject({
    crs: v.picklist(CRSS),
    easting_offset: v.optional(v.pipe(v.number(), v.integer()), 0),
    /** The boxes in which the grid is used. They do not overlap. Default: the extent of the projection. */
    extents: v.optional(v.pipe(v.array(Box), v.minLength(1))),
  }),
  v.transform(({ crs, easting_offset, extents }) => ({ crs, eastingOffset: easting_offset, extents: extents ?? [CRS_EXTENTS[crs]] })),
  v.check(({ crs, extents }) => {
    const [westmost, southmost, eastmost, northmost] = CRS_EXTENTS[crs];
    return extents.every(([west, south, east, north]) => west >= westmost && south >= southmost && east <= eastmost && north <= northmost);
  }, "extents must lie where the projection is used"),
  v.check(
    ({ extents }) =>
      extents.every((one, index) =>
        extents.slice(index + 1).every((other) => one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1]),
      ),
    "extents must not overlap",
  ),
);

/** The thresholds of a country whose rules do not name one. */
const K = 5;
const K_SENSITIVE = 10;

const RULES = {
  name: v.pipe(v.string(), v.minLength(1)),
  aliases: v.optional(v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2,3}$/, "must be two or three capital letters, for example EE"))), []),
  time_zone: TimeZone,
  k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  sensitive: v.optional(v.boolean(), false),
  people_per_device: v.optional(v.pipe(v.number(), v.minValue(1, "must be at least 1: a device is a person"))),
  protected: v.optional(v.boolean(), false),
  profile: v.optional(v.picklist(["standard", "strict"]), "standard"),
  grid: v.optional(GridRule),
  window_days_max: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 400),
};

/** A product's offer with a step that is not the country's. */
const OwnStep = v.looseObject({ step: v.number() });

/** A product's offer of road links beside areas, which count the same trips a second time. */
const LinksBesideAreas = v.pipe(
  v.looseObject({ geo_types: v.array(v.string()) }),
  v.check(({ geo_types }) => geo_types.includes("osm_links") && new Set(geo_types).size > 1),
);

const Code = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "must be an ISO 3166-1 alpha-3 code, for example USA"));

/**
 * Parses a table of country rules in the format of `infra/countries.json`. Throws an error that lists everything wrong.
 * @param offers the schema of each product's offer, by product name. Left out: offers are not checked here; each product parses its own
 * when used.
 */
export function parseCountries(source: string, json: unknown, offers?: Readonly<Record<string, v.GenericSchema>>): CountryTable {
  const optional = Object.fromEntries(Object.entries(offers ?? {}).map(([product, offer]) => [product, v.optional(offer)]));
  const Rules = v.pipe(
    offers ? v.strictObject({ ...optional, ...RULES }) : v.looseObject(RULES),
    v.check(
      ({ people_per_device, protected: isProtected }) => people_per_device !== undefined || isProtected,
      "must have people_per_device, the most people that a device stands for, or protected: true for counts that the provider has protected itself",
    ),
    v.check(
      ({ profile, protected: isProtected }) => profile !== "strict" || !isProtected,
      'cannot have both protected: true, which publishes counts as they are, and profile: "strict", which publishes them in larger steps',
    ),
    v.check(
      ({ profile, ...rules }) => profile !== "strict" || !Object.values(rules).some((rule) => v.is(OwnStep, rule)),
      'cannot have a product with a step of its own and profile: "strict", whose steps are of 2k devices: leave one out',
    ),
    v.check(
      ({ profile, protected: isProtected, ...rules }) =>
        isProtected || !Object.values(rules).some((rule) => v.is(LinksBesideAreas, rule) && (profile === "strict" || v.is(OwnStep, rule))),
      'cannot have osm_links beside other geo_types of a product with step 1 or profile: "strict": they count the same trips, so that those of a withheld link are what remains. Leave out osm_links, or the step and the profile',
    ),
    v.transform(
      ({
        name,
        aliases,
        time_zone,
        k,
        sensitive,
        people_per_device,
        protected: isProtected,
        profile,
        grid,
        window_days_max,
        ...offers
      }) => ({
        ...{ name, aliases, grid, offers, isProtected },
        isStrict: profile === "strict",
        timeZone: time_zone,
        k: k ?? (sensitive ? K_SENSITIVE : K),
        peopleOfDevice: people_per_device,
        windowDaysMax: window_days_max,
      }),
    ),
  );
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new Error(`${source} is not a table of country rules: it must be an object by country code, like infra/countries.json`);
  const parsed = v.safeParse(v.record(Code, Rules), json);
  if (parsed.success) return parsed.output;
  const errors = parsed.issues.map(ruleError);
  throw new Error(`${source} is not a valid table of country rules:\n  ${errors.join("\n  ")}`);
}
