import * as v from "valibot";
import { PROFILES, SCOPES } from "../../../shared/accounts/key-grants.ts";
import { KeyLabel } from "../../../shared/accounts/machine-account-schemas.ts";
import { requireCountries, requireCustomer } from "../find.ts";
import { flag, texts } from "../options.ts";
import { list } from "../print.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { endOf, expires } from "./expiry.ts";
import { makeOnBehalf } from "./make.ts";

export default defineVerb({
  words: "UID LABEL",
  more: `  --service PROFILE    storage (default) or warehouse: which tokens it can mint
  --scope SCOPE        realtime; repeatable
  --country CODE       one of the customer's countries; repeatable (default: all of them)
  --expires TIME       from when on the key is refused, for example 2027-03-31T22:00:00Z (default: no end)
  --admin              with machine-account admin access: it can list, create and rotate the customer's keys
`,
  options: {
    service: v.optional(v.picklist(PROFILES, `must be ${PROFILES.join(" or ")}`), "storage"),
    scope: v.optional(v.array(v.picklist(SCOPES, `must be ${SCOPES.join(" or ")}; for warehouse use --service warehouse`)), []),
    country: texts,
    expires,
    admin: flag,
  },
  run: async ([uid = "", keyLabel = ""], { service, scope, country, expires: asked, admin }, session) => {
    const customer = await requireCustomer(session, uid);
    const label = v.safeParse(KeyLabel, keyLabel);
    if (!label.success) throw new UsageError(`The label ${JSON.stringify(keyLabel)} ${label.issues[0].message}`);
    const wanted = requireCountries(session.countries, country);
    return makeOnBehalf(session, customer, keyLabel, (present, { countries }) => {
      if (present)
        throw new UsageError(
          `${customer.name} already has a key with the label ${keyLabel}; ${COMMAND} keys rotate ${uid} ${keyLabel} replaces it`,
        );
      const beyond = wanted.filter((code) => !countries.includes(code));
      if (beyond.length > 0) throw new UsageError(`${customer.name} does not have ${list(beyond)}; it has ${list(countries)}`);
      const expiresAt = endOf(asked, present, session.now());
      const kept = wanted.length > 0 ? wanted : countries;
      return { service, scopes: [...new Set(scope)], countries: kept, machineAccountAdmin: admin, expiresAt };
    });
  },
});
