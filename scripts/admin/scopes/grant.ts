import { requireCountries, requireCustomer } from "../find.ts";
import { text } from "../options.ts";
import { defineVerb } from "../verb.ts";
import { askedScopes, isCountry, SCOPES_HELP, withScopes } from "./asked.ts";
import { changeCustomer } from "./change-customer.ts";
import { changeKey } from "./change-key.ts";
import { requireScopes } from "./require-scopes.ts";

export default defineVerb({
  words: "UID [LABEL] SCOPE…",
  more: `${SCOPES_HELP}  --default-country C  the customer's new default country: only without a LABEL
`,
  options: { "default-country": text },
  run: async ([uid = "", ...words], values, session) => {
    const customer = await requireCustomer(session, uid);
    const { keyLabel, scopes } = requireScopes(words, values["default-country"]);
    const asked = askedScopes(scopes, session.countries);
    if (keyLabel !== undefined)
      return changeKey(session, customer, {
        ...{ keyLabel, action: "scope.grant", words: scopes, yes: false },
        change: (grants) => withScopes(grants, asked),
      });
    const [defaultCountry] = requireCountries(
      session.countries,
      values["default-country"] === undefined ? [] : [values["default-country"]],
    );
    return changeCustomer(session, customer, {
      ...{ action: "scope.grant", words: scopes.filter(isCountry), defaultCountry },
      change: (countries) => [...new Set([...countries, ...asked.countries])],
    });
  },
});
