import { requireCustomer } from "../find.ts";
import { table } from "../print.ts";
import { defineVerb } from "../verb.ts";
import { quotaRows } from "./table.ts";

export default defineVerb({
  words: "UID",
  options: {},
  run: async ([uid = ""], _values, session) => {
    const { limits } = await requireCustomer(session, uid);
    return { json: { uid, limits }, lines: table(quotaRows(limits)) };
  },
});
