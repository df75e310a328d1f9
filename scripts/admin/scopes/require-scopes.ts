import { UsageError } from "../usage-error.ts";
import { isCountry } from "./asked.ts";

/**
 * Splits the words into an optional key label and scopes. Without a label, all scopes are countries and apply to the customer. Throws a
 * UsageError if there are no scopes, or a default country for a key.
 */
export function requireScopes(words: readonly string[], defaultCountry: string | undefined) {
  const keyLabel = words.every(isCountry) ? undefined : words[0];
  const scopes = keyLabel === undefined ? words : words.slice(1);
  if (scopes.length === 0) throw new UsageError(`Which scopes? Use UID LABEL SCOPE…, or UID country:CODE… for the customer itself`);
  if (keyLabel !== undefined && defaultCountry !== undefined)
    throw new UsageError("--default-country applies to the customer: omit the label");
  return { keyLabel, scopes };
}
