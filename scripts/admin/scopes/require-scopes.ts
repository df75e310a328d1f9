import { UsageError } from "../usage-error.ts";
import { isCountry } from "./asked.ts";

/**
 * Tells a key's label from the scopes behind it: without one there are only countries, which are then the customer's. Throws a UsageError when
 * there are no scopes, or a default country for a key.
 */
export function requireScopes(words: readonly string[], defaultCountry: string | undefined) {
  const keyLabel = words.every(isCountry) ? undefined : words[0];
  const scopes = keyLabel === undefined ? words : words.slice(1);
  if (scopes.length === 0) throw new UsageError(`Which scopes? It takes UID LABEL SCOPE…, or UID country:CODE… for the customer itself`);
  if (keyLabel !== undefined && defaultCountry !== undefined)
    throw new UsageError("--default-country is the customer's: leave the label out");
  return { keyLabel, scopes };
}
