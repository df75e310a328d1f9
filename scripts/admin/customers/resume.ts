import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { probe } from "./probe.ts";

export default defineVerb({
  words: "UID",
  more: `  All keys work again, leaked ones included: revoke or rotate those first.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const { name } = customer;
    await session.serviceAccounts.setEnabled(customer, true);
    const problem = await probe(session, customer);
    const status = problem === undefined ? "active" : "provisioning";
    await setCustomerStatus(session.db, uid, status);
    await session.record("customer.resume", uid, name);
    if (problem !== undefined)
      session.note(`Its tokens do not work yet: ${problem}. Once they do, run ${COMMAND} customers activate ${uid}`);
    return { json: { uid, status }, lines: [`${name} is ${status}`] };
  },
});
