import { signal } from "@preact/signals";
import { changeKey, createKey, type KeyChoice, listKeys, type MachineAccount, type NewKey, removeKey } from "../api/keys.ts";
import { continueWith, onSignOut, refreshSession, session } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";

export const keys = signal<readonly MachineAccount[] | undefined>(undefined);
export const keysFault = signal<unknown>(undefined);

/** A key that was just made. It is shown until it is closed, and then gone. */
export const newKey = signal<NewKey | undefined>(undefined);

onSignOut(() => {
  keys.value = undefined;
  newKey.value = undefined;
});

function uid(): string {
  return session.peek()?.me.uid ?? "";
}

export async function loadKeys(): Promise<void> {
  try {
    keys.value = await listKeys(uid());
    keysFault.value = undefined;
  } catch (error) {
    keysFault.value = error;
  }
}

/** Creates a key or rotates the one of that label; the answer has the key, once. Throws `RequestFailed`. */
export async function makeKey(label: string, choice?: KeyChoice): Promise<void> {
  const made = await createKey(uid(), label, choice);
  if (label === session.peek()?.me.keyLabel) continueWith(made.apiKey);
  newKey.value = made;
  await loadKeys();
}

/** Changes scopes or profile of a key. */
export async function setKey(label: string, change: Parameters<typeof changeKey>[2]): Promise<void> {
  try {
    await changeKey(uid(), label, change);
    await loadKeys();
    // It may be the key that is signed in.
    if (label === session.peek()?.me.keyLabel) await refreshSession();
  } catch (error) {
    notifyFault(error);
  }
}

/** Sets from when on a key is refused; null for never. Throws `RequestFailed`. */
export async function changeEnd(label: string, expiresAt: string | null): Promise<void> {
  const changed = await changeKey(uid(), label, { expiresAt });
  keys.value = keys.value?.map((one) => (one.keyLabel === label ? changed : one));
}

export async function revokeKey(label: string): Promise<void> {
  try {
    await removeKey(uid(), label);
    keys.value = keys.value?.filter(({ keyLabel }) => keyLabel !== label);
  } catch (error) {
    notifyFault(error);
  }
}
