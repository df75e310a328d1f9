import * as v from "valibot";
import { call } from "./client.ts";

const MachineAccount = v.object({
  keyLabel: v.string(),
  service: v.string(),
  scopes: v.array(v.string()),
  createdAt: v.string(),
  rotatedAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
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

/** Creates a key, or rotates it if there is one with that label: the old key ends at once. */
export function createKey(uid: string, keyLabel: string, service?: string): Promise<NewKey> {
  const body = { keyLabel, ...(service === undefined ? {} : { service }) };
  return call("users", `/users/${uid}/machine-accounts`, NewKey, { method: "POST", body });
}

export function changeKey(
  uid: string,
  keyLabel: string,
  change: { readonly scopes?: readonly string[]; readonly service?: string },
): Promise<MachineAccount> {
  return call("users", `/users/${uid}/machine-accounts/${keyLabel}`, MachineAccount, { method: "PATCH", body: change });
}

export async function removeKey(uid: string, keyLabel: string): Promise<void> {
  await call("users", `/users/${uid}/machine-accounts/${keyLabel}`, v.object({ keyLabel: v.string() }), { method: "DELETE" });
}
