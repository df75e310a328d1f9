import * as v from "valibot";
import type { CountryRules } from "../countries/country-rules.ts";
import { stepOf } from "../countries/step.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { WholeNumber } from "../http/fields.ts";
import { PRODUCTS } from "./catalogue.ts";
import { ProductOffer } from "./product.ts";

const Country = v.pipe(
  v.strictObject({
    country_code: v.string(),
    name: v.string(),
    aliases: v.pipe(v.array(v.string()), v.description("Other codes that requests can use")),
    time_zone: v.pipe(v.string(), v.description("The IANA time zone of its civil days")),
    extent: v.pipe(
      v.nullable(v.array(v.number())),
      v.description("west, south, east, north in degrees; null for a country without a grid"),
    ),
    k: v.pipe(WholeNumber, v.description("The minimum number of devices behind a published count")),
    step: v.pipe(
      WholeNumber,
      v.description("Published counts of people are multiples of this: the people of k devices, of 2k in the strict profile"),
    ),
    profile: v.pipe(
      v.picklist(["standard", "strict"]),
      v.description(
        "strict: larger steps, no hours of the finest geography type, Flow by road class, headcounts of every 15 minutes, and no share of withheld people",
      ),
    ),
    window_days_max: v.pipe(WholeNumber, v.description("The most days that the window of a request may have")),
    products: v.array(ProductOffer),
  }),
  v.title("Country"),
);

/** The countries of a key. */
export const CountriesResponse = v.pipe(v.strictObject({ countries: v.array(Country) }), v.title("Countries"));

/** Returns what a customer needs to know about a country before it asks for its data. */
export function describeCountry(code: string, country: CountryRules): v.InferOutput<typeof Country> {
  const { name, aliases, timeZone, k, grid, windowDaysMax } = country;
  return {
    country_code: code,
    name,
    aliases: [...aliases],
    time_zone: timeZone,
    extent: grid === undefined ? null : [...boxAround(grid.extents)],
    k,
    step: stepOf(country),
    profile: country.isStrict ? "strict" : "standard",
    window_days_max: windowDaysMax,
    products: PRODUCTS.flatMap(({ describe }) => describe(country) ?? []),
  };
}

/** Returns the smallest box that contains all boxes. */
function boxAround(boxes: readonly Bbox[]): Bbox {
  const side = (index: 0 | 1 | 2 | 3, choose: (...values: number[]) => number): number => choose(...boxes.map((box) => box[index]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}
