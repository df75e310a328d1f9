import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { probe } from "./probe.ts";

export default defineVerb({
  words: "UID",
  options: {},
  run: async ([uid = ""], _values, session) => {
    const { name, status } = await requireCustomer(session, uid);
    if (status === "suspended") throw new UsageError(`${name} is suspended; ${COMMAND} customers resume ${uid} reactivates it`);
    const problem = await probe(session, uid);
    if (problem !== undefined) throw new UsageError(`${name} stays ${status}: ${problem}. Apply terraform/customers, then try again`);
    if (status !== "active") {
      await setCustomerStatus(session.db, uid, "active");
      await session.record("customer.activate", uid, "provisioned: its tokens work");
    }
    return { json: { uid, status: "active" }, lines: [`${name} is active: its tokens work`] };
  },
});
