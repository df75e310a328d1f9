import { allowedCountry } from "../countries/allowed-country.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Caller } from "../http/caller.ts";
import type { AcceptedRequest, IncomingRequest } from "../products/product.ts";

/**
 * The request that a body stands for: the country resolved (the customer's default when none is named) and allowed to the caller, what is asked for
 * offered there, a window without an end ended now. Throws `invalid_argument`, `permission_denied` or `unsupported_combination`.
 */
export function acceptRequest(incoming: IncomingRequest, caller: Caller, table: CountryTable, now: Date): AcceptedRequest {
  const [code, rules] = allowedCountry(incoming.country_code, caller, table);
  return incoming.accept(code, rules, now);
}
