import * as v from "valibot";
import { setAllow } from "../../../shared/accounts/customers-admin.ts";
import { requireCustomer } from "../find.ts";
import { list } from "../print.ts";
import { hintFor, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { allowed } from "./describe.ts";

/** What an operator can allow: a scope, and the warehouse profile with the personal dataset. */
const GRANTS = ["realtime", "warehouse", "nothing"] as const;

export default defineVerb({
  words: "UID GRANT…",
  more: `  GRANT is realtime or warehouse (the profile, and the request for a personal dataset); nothing takes back both. What is not named is
  taken back. Keys keep the grants that they have.
`,
  options: {},
  run: async ([uid = "", ...words], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const grants = words.map((word) => {
      const grant = v.safeParse(v.picklist(GRANTS), word);
      if (grant.success) return grant.output;
      throw new UsageError(`Unknown grant ${JSON.stringify(word)}; ${hintFor(word, GRANTS, `grants: ${list(GRANTS)}`)}`);
    });
    if (grants.includes("nothing") && grants.length > 1) throw new UsageError("nothing stands alone: it takes back every grant");
    const allow = {
      scopes: grants.includes("realtime") ? (["realtime"] as const) : [],
      profiles: grants.includes("warehouse") ? (["storage", "warehouse"] as const) : (["storage"] as const),
    };
    await setAllow(session.db, uid, allow);
    await session.record("customer.allow", uid, words.join(" "));
    return { json: { uid, allow }, lines: [`The admins of ${customer.name} may now grant: ${allowed(allow)}`] };
  },
});
