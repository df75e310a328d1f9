import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { probe } from "./probe.ts";

export default defineVerb({
  words: "UID",
  more: `  A key that leaked works again too: revoke or rotate it first.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const { name } = await requireCustomer(session, uid);
    await session.serviceAccounts.setEnabled(uid, true);
    const fault = await probe(session, uid);
    const status = fault === undefined ? "active" : "provisioning";
    await setCustomerStatus(session.db, uid, status);
    await session.record("customer.resume", uid, name);
    if (fault !== undefined) session.note(`Its tokens do not work yet: ${fault}; when they do: ${COMMAND} customers activate ${uid}`);
    return { json: { uid, status }, lines: [`${name} is ${status}`] };
  },
});
