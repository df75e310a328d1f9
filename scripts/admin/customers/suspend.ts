import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  words: "UID",
  more: `  Nothing is removed: accepted jobs still finish, waiting ones included, maps are still measured, and customers resume restores access.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const { name } = await requireCustomer(session, uid);
    await setCustomerStatus(session.db, uid, "suspended");
    const switchedOff = await session.serviceAccounts.setEnabled(uid, false);
    await session.record("customer.suspend", uid, name);
    const tokens = switchedOff.length > 0 ? `${switchedOff.join(" and ")} are disabled` : "it has no service accounts yet";
    return { json: { uid, status: "suspended", switchedOff }, lines: [`${name} is suspended: its keys get 403, and ${tokens}`] };
  },
});
