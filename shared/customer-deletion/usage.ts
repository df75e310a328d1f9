import { usageFirestore } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";

/** What is noted about a customer's requests: all documents below `customers/{uid}` in the database `usage`. */
export interface CustomerUsage {
  /** Removes everything of a customer. Returns the number of documents. */
  readonly remove: (uid: string) => Promise<number>;
}

/** How many documents are deleted in one request. Source: https://cloud.google.com/firestore/quotas#writes_and_transactions */
const AT_ONCE = 500;

/** Opens what is noted about customers, to remove it. */
export function openCustomerUsage(config: Config): CustomerUsage {
  const db = usageFirestore(config);
  return {
    remove: async (uid) => {
      const collections = await db.collection("customers").doc(uid).listCollections();
      const found = (await Promise.all(collections.map((collection) => collection.get()))).flatMap(({ docs }) => docs);
      for (let first = 0; first < found.length; first += AT_ONCE) {
        const batch = db.batch();
        for (const { ref } of found.slice(first, first + AT_ONCE)) batch.delete(ref);
        await batch.commit();
      }
      return found.length;
    },
  };
}
