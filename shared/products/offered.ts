import type { CountryRules } from "../countries/country-rules.ts";
import { invalidFields } from "../http/errors.ts";
import { NESTED_LEVELS } from "../publishing/nesting.ts";

/** A request field for which a country offers only some values. */
interface Choice {
  readonly pointer: string;
  readonly given: string;
  readonly allowed: readonly string[];
}

/**
 * Throws `unsupported_combination`, with the allowed values, for request fields whose value a country does not offer.
 * @param where the scope of the allowed values, for example `for odm in EST`
 */
export function requireOffered(choices: readonly Choice[], where: string): void {
  const refused = choices.filter(({ given, allowed }) => !allowed.includes(given));
  if (refused.length === 0) return;
  throw invalidFields(
    refused.map(({ pointer, allowed }) => ({ pointer, detail: `must be one of ${allowed.join(", ")} ${where}`, allowed })),
    "unsupported_combination",
  );
}

/** Returns the geography types, of those that a product offers, of which a country publishes hours: in the strict profile all but the finest. */
export function typesWithHours<Type extends string>(types: readonly Type[], { isStrict }: Pick<CountryRules, "isStrict">): readonly Type[] {
  const finest: string | undefined = isStrict ? NESTED_LEVELS.find((level) => types.some((type) => type === level)) : undefined;
  return types.filter((type) => type !== finest);
}

/** Returns the error of a product that a country does not offer. */
export function notOffered(code: string, { offers }: CountryRules): Error {
  const products = Object.keys(offers);
  const detail = `is not offered for ${code}; it offers ${products.join(", ") || "nothing yet"}`;
  return invalidFields([{ pointer: "/agg_type", detail, allowed: products }], "unsupported_combination");
}
