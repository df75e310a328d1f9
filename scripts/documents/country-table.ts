import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { markdownTable } from "./markdown-table.ts";

/** What the table shows of an offer. Each product parses all of its own. */
const Offer = v.optional(v.object({ geo_types: v.array(v.string()), mixed: v.optional(v.boolean(), false) }), { geo_types: [] });

/** Returns the table of what each country offers. */
export function countryTable(countries: CountryTable): string {
  return markdownTable(
    ["country", "codes", "time zone", "k", "Activities by", "matrix by", "matrix, both sides", "Flow"],
    Object.entries(countries).map(([code, { name, aliases, timeZone, k, offers }]) => {
      const [activities, odm] = [v.parse(Offer, offers.activities), v.parse(Offer, offers.odm)];
      return [
        name,
        [code, ...aliases].map((each) => `\`${each}\``).join(", "),
        timeZone,
        String(k),
        list(activities.geo_types),
        list(odm.geo_types),
        odm.mixed ? "any two types" : "the same type",
        offers.flow === undefined ? "–" : "yes",
      ];
    }),
  );
}

function list(types: readonly string[]): string {
  return types.map((type) => `\`${type}\``).join(", ") || "–";
}
