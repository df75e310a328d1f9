import type { Check } from "./check.ts";
import { documentChecks } from "./documents.ts";
import { httpChecks } from "./http.ts";
import { listeningChecks } from "./listening.ts";
import { queryChecks } from "./queries.ts";
import { refusalChecks } from "./refusals.ts";
import { transactionChecks } from "./transactions.ts";
import { writeChecks } from "./writes.ts";

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
