import type { Firestore } from "@google-cloud/firestore";
import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import type { Withdrawal } from "./withdrawals.ts";

/** Takes away again, in a restored database, what was taken away before. Each step can be repeated. */
export async function withdraw(db: Firestore, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { uid } = withdrawal;
  const customer = db.collection("customers").doc(uid);
  if (withdrawal.kind === "customer deleted") return eraseCustomer(db, uid, now);
  if (withdrawal.kind === "customer suspended") {
    await setCustomerStatus(db, uid, "suspended");
    return;
  }
  if (withdrawal.kind === "customer limited") {
    await customer.update(withdrawal.rest);
    return;
  }
  const { hash, keyLabel } = withdrawal;
  const key = db.collection("apiKeys").doc(hash);
  const account = customer.collection("machineAccounts").doc(keyLabel);
  await db.runTransaction(async (transaction) => {
    const [stored, held] = await transaction.getAll(key, account);
    const isItsAccount = held?.get("keyHash") === hash;
    if (withdrawal.kind === "key revoked") {
      transaction.delete(key);
      if (isItsAccount) transaction.delete(account);
      return;
    }
    if (!stored?.exists) return;
    const { service, scopes, expiresAt } = withdrawal.rest;
    transaction.update(key, withdrawal.rest);
    if (isItsAccount) transaction.update(account, { service, scopes, expiresAt });
  });
}

/**
 * Deletes every document of a customer, whatever the collection: those whose path names it and those with its uid. The keys go first. The
 * customer's data elsewhere is gone already; the record makes the sweeper look once more.
 */
async function eraseCustomer(db: Firestore, uid: string, now: Date): Promise<void> {
  const collections = (await db.listCollections()).filter(({ id }) => id !== "goneCustomers");
  const keysFirst = collections.sort((a, b) => Number(b.id === "apiKeys") - Number(a.id === "apiKeys"));
  for (const collection of keysFirst) {
    const { docs } = await collection.where("uid", "==", uid).select().get();
    for (const { ref } of docs) await db.recursiveDelete(ref);
    await db.recursiveDelete(collection.doc(uid));
  }
  await db.collection("goneCustomers").doc(uid).set({ goneAt: now }, { merge: true });
}
