import { allowedCountry } from "../countries/allowed-country.ts";
import type { CountryTable } from "../countries/country-rules.ts";
import type { Caller } from "../http/caller.ts";
import type { AcceptedRequest, IncomingRequest } from "../products/product.ts";

/**
 * Resolves a request body. The country defaults to the customer's; it must be allowed to the caller and offer what is requested. A window
 * without an end ends now. Throws `invalid_argument`, `permission_denied` or `unsupported_combination`.
 */
export function acceptRequest(incoming: IncomingRequest, caller: Caller, table: CountryTable, now: Date): AcceptedRequest {
  const [code, rules] = allowedCountry(incoming.country_code, caller, table);
  return incoming.accept(code, rules, now);
}
