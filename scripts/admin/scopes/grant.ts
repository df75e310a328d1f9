import { requireCountry, requireCustomer } from "../find.ts";
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
    const { "default-country": wanted } = values;
    const { keyLabel, scopes } = requireScopes(words, wanted);
    const asked = askedScopes(scopes, session.countries);
    if (keyLabel !== undefined)
      return changeKey(session, customer, {
        ...{ keyLabel, action: "scope.grant", words: scopes, yes: false },
        change: (grants) => withScopes(grants, asked),
      });
    const defaultCountry = wanted === undefined ? undefined : requireCountry(session.countries, wanted);
    return changeCustomer(session, customer, {
      ...{ action: "scope.grant", words: scopes.filter(isCountry), defaultCountry },
      change: (countries) => [...new Set([...countries, ...asked.countries])],
    });
  },
});
