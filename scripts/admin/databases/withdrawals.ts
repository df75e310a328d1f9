import type { ApiKey } from "../../../shared/accounts/api-keys.ts";
import type { AuditLine } from "../audit-source.ts";
import type { AccessState, CustomerAccess, KeyAccess } from "./access-state.ts";

/**
 * Access that an older state of the database has and that was taken away since. A restored database would give it back. `because` is the audit
 * entry that took it away; undefined where the audit has none.
 */
export type Withdrawal = { readonly uid: string; readonly because: AuditLine | undefined } & (
  | { readonly kind: "customer deleted"; readonly name: string }
  | { readonly kind: "customer suspended"; readonly name: string }
  | { readonly kind: "customer limited"; readonly name: string; readonly rest: Pick<CustomerAccess, "countries" | "allow"> }
  | { readonly kind: "key revoked"; readonly hash: string; readonly keyLabel: string; readonly keyHint: string | undefined }
  | {
      readonly kind: "key limited";
      readonly hash: string;
      readonly keyLabel: string;
      readonly keyHint: string | undefined;
      readonly rest: Rest;
    }
);

/** What remains of a key's grants. */
type Rest = Pick<ApiKey, "service" | "scopes" | "countries" | "machineAccountAdmin"> & { readonly expiresAt: Date | null };

/**
 * Returns what was taken away since an older state was current, by comparing it with the present one. `audit` holds the entries since then.
 * A customer that is deleted takes its keys along, so they are not listed again.
 */
export function withdrawals(older: AccessState, present: AccessState, audit: readonly AuditLine[]): Withdrawal[] {
  const entryOf = (uid: string, ...actions: string[]) =>
    audit.findLast((line) => line.audit.uid === uid && actions.includes(line.audit.action));
  const lastOf = (uid: string, ...actions: string[]) => entryOf(uid, ...actions)?.audit.action;
  const ofCustomers = [...older.customers].flatMap(([uid, before]): Withdrawal[] => {
    const now = present.customers.get(uid);
    const of = { uid, name: before.name };
    if (!now) return [{ ...of, kind: "customer deleted", because: entryOf(uid, "customer.delete") }];
    const rest = narrowerCustomer(before, now);
    return [
      ...(isSuspended(now) && !isSuspended(before) && lastOf(uid, "customer.suspend", "customer.resume") !== "customer.resume"
        ? [{ ...of, kind: "customer suspended", because: entryOf(uid, "customer.suspend") } as const]
        : []),
      ...(rest ? [{ ...of, kind: "customer limited", rest, because: entryOf(uid, "scope.revoke", "customer.allow") } as const] : []),
    ];
  });
  const ofKeys = [...older.keys].flatMap(([hash, { key, keyHint }]): Withdrawal[] => {
    const { uid, keyLabel } = key;
    if (!present.customers.has(uid) && older.customers.has(uid)) return [];
    const now = present.keys.get(hash)?.key;
    const of = { uid, hash, keyLabel, keyHint };
    const entry = (...actions: string[]) =>
      audit.findLast(
        ({ audit: { uid: whose, action, subject = "" } }) => whose === uid && actions.includes(action) && names(subject, keyLabel),
      );
    if (!now) return [{ ...of, kind: "key revoked", because: entry("key.revoke", "key.rotate") }];
    const rest = narrowerKey(key, now);
    return rest ? [{ ...of, kind: "key limited", rest, because: entry("key.change", "scope.revoke") ?? entryOf(uid, "scope.revoke") }] : [];
  });
  return [...ofCustomers, ...ofKeys];
}

/**
 * Returns the part of a state that was there when its database was made, at `createTime`: of a restored database that is used already, and has what
 * was granted in it. Not for one that was only just restored: everything in it is old, whatever the clocks say.
 */
export function stateAt(createTime: Date, { customers, keys }: AccessState, audit: readonly AuditLine[]): AccessState {
  const created = new Set(
    audit.flatMap(({ time, audit: { action, uid } }) =>
      action === "customer.create" && time !== undefined && new Date(time) > createTime ? [uid] : [],
    ),
  );
  const isOld = ({ key, madeAt }: KeyAccess): boolean => !created.has(key.uid) && !(madeAt && madeAt > createTime);
  return {
    customers: new Map([...customers].filter(([uid]) => !created.has(uid))),
    keys: new Map([...keys].filter(([, held]) => isOld(held))),
  };
}

/**
 * Returns the same from the audit alone, where the present state is lost. What it cannot tell is what remains of limited keys and customers:
 * those entries are returned as `byHand`.
 */
export function withdrawalsOfAudit(
  older: AccessState,
  audit: readonly AuditLine[],
): { readonly found: Withdrawal[]; readonly byHand: readonly AuditLine[] } {
  const last = new Map<string, AuditLine>();
  for (const line of audit)
    if (line.audit.action.startsWith("customer.")) last.set(`${line.audit.uid} ${groupOf(line.audit.action)}`, line);
  const ofCustomers = [...older.customers].flatMap(([uid, { name, status }]): Withdrawal[] => {
    const deleted = last.get(`${uid} delete`);
    if (deleted) return [{ uid, name, kind: "customer deleted", because: deleted }];
    const standing = last.get(`${uid} standing`);
    return standing?.audit.action === "customer.suspend" && status !== "suspended"
      ? [{ uid, name, kind: "customer suspended", because: standing }]
      : [];
  });
  const isDeleted = new Set(ofCustomers.flatMap(({ kind, uid }) => (kind === "customer deleted" ? [uid] : [])));
  const ofKeys = [...older.keys].flatMap(([hash, held]): Withdrawal[] => {
    const { uid, keyLabel } = held.key;
    const because = isDeleted.has(uid) ? undefined : audit.find((line) => endsKey(line, held));
    return because ? [{ uid, hash, keyLabel, keyHint: held.keyHint, kind: "key revoked", because }] : [];
  });
  return {
    found: [...ofCustomers, ...ofKeys],
    byHand: audit.filter(({ audit: { action, uid } }) => LIMITING.includes(action) && older.customers.has(uid) && !isDeleted.has(uid)),
  };
}

const LIMITING = ["key.change", "scope.revoke", "customer.allow", "quota.set"];

function groupOf(action: string): string {
  return action === "customer.suspend" || action === "customer.resume" ? "standing" : action.slice("customer.".length);
}

/** A revocation names the key that it ends, a rotation the one that begins. */
function endsKey({ audit: { action, uid, subject = "" } }: AuditLine, { key, keyHint }: KeyAccess): boolean {
  if (uid !== key.uid || !names(subject, key.keyLabel)) return false;
  const isNamed = keyHint !== undefined && subject === `${key.keyLabel} (${keyHint}…)`;
  return (action === "key.revoke" && isNamed) || (action === "key.rotate" && !isNamed);
}

/** Whether the subject of an entry is this label, alone or with more behind it. */
function names(subject: string, keyLabel: string): boolean {
  return subject === keyLabel || subject.startsWith(`${keyLabel} (`) || subject.startsWith(`${keyLabel}:`);
}

function isSuspended({ status }: CustomerAccess): boolean {
  return status === "suspended";
}

function narrowerCustomer(before: CustomerAccess, now: CustomerAccess): Pick<CustomerAccess, "countries" | "allow"> | undefined {
  const countries = common(before.countries, now.countries);
  const scopes = common(before.allow.scopes, now.allow.scopes);
  const profiles = common(before.allow.profiles, now.allow.profiles);
  const isSame =
    countries.length === before.countries.length &&
    scopes.length === before.allow.scopes.length &&
    profiles.length === before.allow.profiles.length;
  return isSame ? undefined : { countries, allow: { scopes, profiles } };
}

function narrowerKey(before: ApiKey, now: ApiKey): Rest | undefined {
  const scopes = common(before.scopes, now.scopes);
  const countries = common(before.countries, now.countries);
  const service = now.service === "storage" ? "storage" : before.service;
  const machineAccountAdmin = before.machineAccountAdmin && now.machineAccountAdmin;
  const ends = [before.expiresAt, now.expiresAt].flatMap((end) => (end ? [end.getTime()] : []));
  const expiresAt = ends.length === 0 ? null : new Date(Math.min(...ends));
  const isSame =
    scopes.length === before.scopes.length &&
    countries.length === before.countries.length &&
    service === before.service &&
    machineAccountAdmin === before.machineAccountAdmin &&
    (expiresAt?.getTime() ?? null) === (before.expiresAt?.getTime() ?? null);
  return isSame ? undefined : { service, scopes, countries, machineAccountAdmin, expiresAt };
}

function common<T>(before: readonly T[], now: readonly T[]): T[] {
  return before.filter((one) => now.includes(one));
}
