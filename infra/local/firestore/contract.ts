import type { Check } from "./contract/check.ts";
import { documentChecks } from "./contract/documents.ts";
import { httpChecks } from "./contract/http.ts";
import { listeningChecks } from "./contract/listening.ts";
import { queryChecks } from "./contract/queries.ts";
import { refusalChecks } from "./contract/refusals.ts";
import { transactionChecks } from "./contract/transactions.ts";
import { writeChecks } from "./contract/writes.ts";

/** Checks of what Firestore guarantees to its real client, for any engine. Run them in this order, one after another. */
export const contract: readonly Check[] = [
  ...documentChecks,
  ...writeChecks,
  ...queryChecks,
  ...transactionChecks,
  ...listeningChecks,
  ...refusalChecks,
  ...httpChecks,
];
