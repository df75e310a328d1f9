import * as v from "valibot";
import { call } from "./client.ts";

const MachineAccount = v.object({
  keyLabel: v.string(),
  service: v.string(),
  scopes: v.array(v.string()),
  createdAt: v.string(),
  rotatedAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
  lastUsedFrom: v.nullable(v.object({ address: v.nullable(v.string()), client: v.string() })),
  /** From when on the key is refused; null for a key without an end. */
  expiresAt: v.nullable(v.string()),
  keyHint: v.string(),
});

/** A key of the customer, without the key itself. */
export type MachineAccount = v.InferOutput<typeof MachineAccount>;

const NewKey = v.object({ keyLabel: v.string(), apiKey: v.string(), rotated: v.boolean() });

/** A key that was just made: the only time it is shown. */
export type NewKey = v.InferOutput<typeof NewKey>;

export async function listKeys(uid: string): Promise<MachineAccount[]> {
  const List = v.object({ machineAccounts: v.array(MachineAccount) });
  return (await call("users", `/users/${uid}/machine-accounts/list`, List)).machineAccounts;
}

/** What can be chosen for a new key; what is left out stays as it is when a key is rotated. */
export interface KeyChoice {
  readonly service?: string;
  readonly expiresAt?: string | null;
}

/** Creates a key, or rotates it if there is one with that label: the old key ends at once. */
export function createKey(uid: string, keyLabel: string, choice: KeyChoice = {}): Promise<NewKey> {
  return call("users", `/users/${uid}/machine-accounts`, NewKey, { method: "POST", body: { keyLabel, ...choice } });
}

export function changeKey(
  uid: string,
  keyLabel: string,
  change: KeyChoice & { readonly scopes?: readonly string[] },
): Promise<MachineAccount> {
  return call("users", `/users/${uid}/machine-accounts/${keyLabel}`, MachineAccount, { method: "PATCH", body: change });
}

export async function removeKey(uid: string, keyLabel: string): Promise<void> {
  await call("users", `/users/${uid}/machine-accounts/${keyLabel}`, v.object({ keyLabel: v.string() }), { method: "DELETE" });
}
