import { statSync } from "node:fs";
import { join } from "node:path";
import { CUSTOMERS_FILE, persistedCustomers } from "./persisted-customers.ts";

/**
 * Throws a one-line error if the data folder has the customers that a start has made, and Firestore's file is gone or empty. The service would start
 * without them, and their keys would be unknown to it.
 */
export function refuseLostDocuments(dataDirectory: string): void {
  const documents = join(dataDirectory, "firestore", "state.sqlite");
  const size = statSync(documents, { throwIfNoEntry: false })?.size;
  if ((size ?? 0) > 0 || !persistedCustomers(dataDirectory)?.made) return;
  const customers = join(dataDirectory, CUSTOMERS_FILE);
  throw new Error(
    `${documents} is ${size === undefined ? "missing" : "empty"}, and ${customers} has customers that were in it. Restore the first from a copy, or delete the second: the next start then makes new customers, and the earlier ones are lost with their maps and jobs`,
  );
}
