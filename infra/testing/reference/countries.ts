import { readFileSync } from "node:fs";
import * as v from "valibot";

const GeoTypes = v.object({ geo_types: v.array(v.string()) });

/** scripts/README.md, "Bring your own data": the members of a country and their defaults. */
const Country = v.object({
  aliases: v.optional(v.array(v.string()), []),
  time_zone: v.string(),
  k: v.optional(v.number(), 5),
  people_per_device: v.number(),
  activities: v.optional(GeoTypes, { geo_types: [] }),
  odm: v.optional(
    v.object({
      ...GeoTypes.entries,
      mixed: v.optional(v.boolean(), false),
      distance: v.optional(v.picklist(["centroids", "none"]), "none"),
      speed: v.optional(v.boolean(), false),
    }),
    { geo_types: [] },
  ),
  flow: v.optional(v.object({ end_time_optional: v.optional(v.boolean(), false) }), {}),
});

/** The rules of a country, by its three-letter code. */
export type CountryRules = v.InferOutput<typeof Country> & { readonly code: string; readonly step: number };

const TABLE = v.parse(v.record(v.string(), Country), JSON.parse(readFileSync(new URL("../../countries.json", import.meta.url), "utf8")));

/** Returns the rules of a request's country: a code or alias in any case. Default: Estonia, the default of the tests' customers. */
export function countryOf({ country_code = "EST" }: { readonly country_code?: string }): CountryRules {
  const wanted = country_code.toUpperCase();
  for (const [code, rules] of Object.entries(TABLE))
    if (code === wanted || rules.aliases.includes(wanted)) {
      // What k devices stand for, in fives.
      return { code, ...rules, step: 5 * Math.ceil((rules.k * rules.people_per_device) / 5) };
    }
  throw new RangeError(`${country_code} is not in the country table`);
}
