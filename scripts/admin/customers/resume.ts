import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { alignAccounts } from "./align-accounts.ts";
import { probe } from "./probe.ts";

export default defineVerb({
  words: "UID",
  more: `  All keys work again, leaked ones included: revoke or rotate those first.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const { name } = customer;
    // The status says first what is wanted: a suspension that comes later finds it, and wins.
    await setCustomerStatus(session.db, uid, "provisioning", ["suspended"]);
    await alignAccounts(session, customer);
    const problem = await probe(session, customer);
    const wanted = problem === undefined ? "active" : "provisioning";
    const status = await setCustomerStatus(session.db, uid, wanted, ["provisioning", "active"]);
    if (status === "suspended")
      throw new Error(
        `Somebody else suspended ${name} meanwhile, so it stays suspended: ${COMMAND} customers resume ${uid} resumes it again`,
      );
    await session.record("customer.resume", uid, name);
    if (problem !== undefined)
      session.note(`Its tokens do not work yet: ${problem}. Once they do, run ${COMMAND} customers activate ${uid}`);
    return { json: { uid, status }, lines: [`${name} is ${status}`] };
  },
});
