import * as v from "valibot";
import { type CountryTable, GEO_TYPES } from "../domain/country-rules.ts";

const GeoTypes = v.pipe(v.array(v.picklist(GEO_TYPES)), v.minLength(1));

const TimeZone = v.pipe(
  v.string(),
  v.check(
    (zone) => Intl.supportedValuesOf("timeZone").includes(zone) || zone === "UTC",
    "must be an IANA time zone, for example Europe/Oslo",
  ),
);

const Rules = v.pipe(
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1)),
    aliases: v.optional(v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2,3}$/))), []),
    time_zone: TimeZone,
    k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 5),
    grid: v.optional(
      v.strictObject({
        crs: v.picklist(["EPSG:3035", "EPSG:25833"]),
        easting_offset: v.optional(v.number()),
      }),
    ),
    activities: v.optional(v.strictObject({ geo_types: GeoTypes })),
    odm: v.optional(
      v.strictObject({
        geo_types: GeoTypes,
        mixed: v.optional(v.boolean(), false),
        distance: v.optional(v.picklist(["measured", "centroids", "none"]), "none"),
        speed: v.optional(v.boolean(), false),
      }),
    ),
    flow: v.optional(v.strictObject({ end_time_optional: v.optional(v.boolean(), false) })),
  }),
  v.transform(({ time_zone, grid: _grid, activities, odm, flow, ...rules }) => ({
    ...rules,
    timeZone: time_zone,
    activities: activities && { geoTypes: activities.geo_types },
    odm: odm && {
      geoTypes: odm.geo_types,
      mixed: odm.mixed,
      distance: odm.distance,
      speed: odm.speed,
    },
    flow: flow && { endTimeOptional: flow.end_time_optional },
  })),
);

const Table = v.record(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, "must be an ISO 3166-1 alpha-3 code, for example USA")), Rules);

/** Parses a table of country rules (the form of `infra/countries.json`). Throws an error that names each fault. */
export function parseCountries(source: string, json: unknown): CountryTable {
  const parsed = v.safeParse(Table, json);
  if (parsed.success) return parsed.output;
  const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "(top)"}: ${issue.message}`);
  throw new Error(`${source} is not a table of country rules:\n  ${faults.join("\n  ")}`);
}
