import { listUsedKeys } from "../../../shared/accounts/keys-admin.ts";
import { requireCustomer } from "../find.ts";
import { table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { keyJson, keyRow } from "./describe.ts";

export default defineVerb({
  words: "UID",
  options: {},
  run: async ([uid = ""], _values, session) => {
    await requireCustomer(session, uid);
    const keys = await listUsedKeys(session.config, uid);
    return { json: { uid, keys: keys.map(keyJson) }, lines: table(keys.map(keyRow)) };
  },
});
