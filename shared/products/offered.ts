import { invalidFields } from "../http/errors.ts";

/** A member of a request that a country offers some values for only. */
interface Choice {
  readonly pointer: string;
  readonly given: string;
  readonly allowed: readonly string[];
}

/**
 * Throws `unsupported_combination`, with the values that would be right, for members of a request that a country does not offer.
 * @param where what offers the values, for example `for odm in EST`
 */
export function requireOffered(choices: readonly Choice[], where: string): void {
  const refused = choices.filter(({ given, allowed }) => !allowed.includes(given));
  if (refused.length === 0) return;
  throw invalidFields(
    refused.map(({ pointer, allowed }) => ({ pointer, detail: `must be one of ${allowed.join(", ")} ${where}`, allowed })),
    "unsupported_combination",
  );
}
