import type { AuditLine } from "../audit-source.ts";
import { UsageError } from "../usage-error.ts";
import type { AccessState } from "./access-state.ts";
import { type Withdrawal, withdrawals, withdrawalsOfAudit } from "./withdrawals.ts";

/** What a restored database would give back, and the entries of the audit that an operator repeats by hand. */
export interface Found {
  readonly found: readonly Withdrawal[];
  readonly byHand: readonly AuditLine[];
}

/**
 * Returns what was taken away since an older state was current, without the deletion of customers that were deleted by mistake. The present state
 * has nothing of these, so the audit alone tells what they had lost before. Throws a UsageError for one that is not in the older state, or was not deleted.
 * @param present undefined where it is lost
 */
export function foundWithout(
  undeleted: readonly string[],
  older: AccessState,
  present: AccessState | undefined,
  audit: readonly AuditLine[],
): Found {
  for (const uid of undeleted) {
    if (!older.customers.has(uid)) throw new UsageError(`--undelete ${uid}: the restored database has no such customer`);
    if (present?.customers.has(uid)) throw new UsageError(`--undelete ${uid}: this customer was not deleted`);
  }
  const told = audit.filter(({ audit: { action, uid } }) => action !== "customer.delete" || !undeleted.includes(uid));
  if (present === undefined) return withdrawalsOfAudit(older, told);
  const ofPresent = withdrawals(older, present, audit).filter(({ kind, uid }) => kind !== "customer deleted" || !undeleted.includes(uid));
  const { found, byHand } = withdrawalsOfAudit(partOf(older, undeleted), told);
  return { found: [...ofPresent, ...found], byHand };
}

/** The part of a state that some customers have. */
function partOf({ customers, keys }: AccessState, uids: readonly string[]): AccessState {
  return {
    customers: new Map([...customers].filter(([uid]) => uids.includes(uid))),
    keys: new Map([...keys].filter(([, { key }]) => uids.includes(key.uid))),
  };
}
