import type { PlacedCustomer } from "../../../shared/accounts/accounts-project.ts";
import { findCustomer } from "../../../shared/accounts/customers-admin.ts";
import type { Session } from "../session.ts";

/**
 * Enables a customer's service accounts, or disables them if it is suspended or deleted, until its status is the one that they were switched
 * for: of commands at the same moment, whoever switches last has read what the last one wants. Returns that, and the existing accounts.
 */
export async function alignAccounts(
  { db, serviceAccounts }: Pick<Session, "db" | "serviceAccounts">,
  customer: PlacedCustomer,
): Promise<{ readonly isSuspended: boolean; readonly accounts: readonly string[] }> {
  const read = async (): Promise<boolean> => ((await findCustomer(db, customer.uid))?.status ?? "suspended") === "suspended";
  let isSuspended = await read();
  for (;;) {
    const accounts = await serviceAccounts.setEnabled(customer, !isSuspended);
    const switchedFor = isSuspended;
    isSuspended = await read();
    if (isSuspended === switchedFor) return { isSuspended, accounts };
  }
}
