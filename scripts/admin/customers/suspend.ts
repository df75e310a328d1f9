import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  words: "UID",
  more: `  Nothing of it is removed: jobs that were accepted are finished, those that wait for their place too, maps go on being measured, and
  customers resume gives everything back.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const { name } = await requireCustomer(session, uid);
    await setCustomerStatus(session.db, uid, "suspended");
    const switchedOff = await session.serviceAccounts.setEnabled(uid, false);
    await session.record("customer.suspend", uid, name);
    const tokens = switchedOff.length > 0 ? `${switchedOff.join(" and ")} are switched off` : "it has no service accounts yet";
    return { json: { uid, status: "suspended", switchedOff }, lines: [`${name} is suspended: its keys answer 403, and ${tokens}`] };
  },
});
