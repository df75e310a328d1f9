import * as v from "valibot";
import { PROFILES } from "../../../shared/accounts/key-grants.ts";
import { confirm } from "../confirm.ts";
import { noKey, requireCustomer, requireKey } from "../find.ts";
import { flag } from "../options.ts";
import { defineVerb } from "../verb.ts";
import { endOf, expires } from "./expiry.ts";
import { makeOnBehalf } from "./make.ts";

export default defineVerb({
  words: "UID LABEL",
  more: `  --service PROFILE    another profile, storage or warehouse (default: unchanged)
  --expires TIME       from when on the new key is refused, or none (default: unchanged)
  --yes                does not ask
`,
  options: { service: v.optional(v.picklist(PROFILES, `must be ${PROFILES.join(" or ")}`)), expires, yes: flag },
  run: async ([uid = "", keyLabel = ""], { service, expires: asked, yes }, session) => {
    const customer = await requireCustomer(session, uid);
    const { keyHint } = await requireKey(session, customer, keyLabel);
    await confirm(session, `The key ${keyHint}… (${keyLabel}) of ${customer.name} stops working at once. Rotate it?`, yes);
    return makeOnBehalf(session, customer, keyLabel, (present) => {
      if (!present) throw noKey(customer, keyLabel, []);
      return { ...present, service: service ?? present.service, expiresAt: endOf(asked, present, session.now()) };
    });
  },
});
