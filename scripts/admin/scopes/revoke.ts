import { requireCountry, requireCustomer } from "../find.ts";
import { flag, text } from "../options.ts";
import { defineVerb } from "../verb.ts";
import { askedScopes, SCOPES_HELP, withoutScopes } from "./asked.ts";
import { changeCustomer } from "./change-customer.ts";
import { changeKey } from "./change-key.ts";
import { requireScopes } from "./require-scopes.ts";

export default defineVerb({
  words: "UID [LABEL] SCOPE…",
  more: `${SCOPES_HELP}  --default-country C  the customer's new default country: only without a LABEL
  --yes                does not ask before it removes the last machine-account admin access
`,
  options: { "default-country": text, yes: flag },
  run: async ([uid = "", ...words], { yes, ...values }, session) => {
    const customer = await requireCustomer(session, uid);
    const { "default-country": wanted } = values;
    const { keyLabel, scopes } = requireScopes(words, wanted);
    const asked = askedScopes(scopes, session.countries);
    if (keyLabel !== undefined)
      return changeKey(session, customer, {
        ...{ keyLabel, action: "scope.revoke", words: scopes, yes },
        change: (grants) => withoutScopes(grants, asked),
      });
    const defaultCountry = wanted === undefined ? undefined : requireCountry(session.countries, wanted);
    return changeCustomer(session, customer, {
      ...{ action: "scope.revoke", words: scopes, defaultCountry },
      change: (countries) => countries.filter((country) => !asked.countries.includes(country)),
    });
  },
});
