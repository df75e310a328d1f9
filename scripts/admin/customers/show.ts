import { listUsedKeys } from "../../../shared/accounts/keys-admin.ts";
import { requireCustomer } from "../find.ts";
import { keyJson, keyRow } from "../keys/describe.ts";
import { fields, table } from "../print.ts";
import { quotaRows } from "../quotas/table.ts";
import { defineVerb } from "../verb.ts";
import { customerFields, customerJson } from "./describe.ts";

export default defineVerb({
  words: "UID",
  options: {},
  run: async ([uid = ""], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const keys = await listUsedKeys(session.config, uid);
    return {
      json: { ...customerJson(session.config, customer), keys: keys.map(keyJson) },
      lines: [
        ...fields(customerFields(session.config, customer)),
        "",
        ...table(keys.map(keyRow)),
        "",
        ...table(quotaRows(customer.limits)),
      ],
    };
  },
});
