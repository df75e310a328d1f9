import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { requireCustomer } from "../find.ts";
import { counted } from "../print.ts";
import { COMMAND } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { alignAccounts } from "./align-accounts.ts";

export default defineVerb({
  words: "UID",
  more: `  Nothing is removed: accepted jobs still finish, waiting ones included, maps are still measured, and customers resume restores access.
  Subscriptions in Analytics Hub are revoked for good: the customer subscribes again after customers resume. If it fails, run it again.
`,
  options: {},
  run: async ([uid = ""], _values, session) => {
    const customer = await requireCustomer(session, uid);
    const { name } = customer;
    // What every request reads changes first. Each step can be repeated, so the command can be run again after a failure.
    await setCustomerStatus(session.db, uid, "suspended");
    const { isSuspended, accounts: switchedOff } = await alignAccounts(session, customer);
    if (!isSuspended)
      throw new Error(
        `Somebody else resumed ${name} meanwhile, so it is not suspended: ${COMMAND} customers suspend ${uid} suspends it again`,
      );
    const unsubscribed = await session.subscriptions.revokeAll(customer);
    await session.record("customer.suspend", uid, name);
    const tokens = switchedOff.length > 0 ? `${switchedOff.join(" and ")} are disabled` : "it has no service accounts yet";
    const lines = [`${name} is suspended: its keys get 403, and ${tokens}`];
    if (unsubscribed.length > 0) lines.push(`${counted(unsubscribed.length, "subscription")} in Analytics Hub revoked`);
    return { json: { uid, status: "suspended", switchedOff, unsubscribed }, lines };
  },
});
