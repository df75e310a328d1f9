import type { Firestore } from "@google-cloud/firestore";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { AuditEntry } from "../../shared/runtime/audit.ts";
import type { Config } from "../../shared/runtime/config.ts";
import type { AuditSource } from "./audit-source.ts";
import type { AdminContext } from "./context.ts";
import type { FirestoreAdmin } from "./databases/firestore-admin.ts";
import type { ServiceAccounts } from "./service-accounts.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** The deployment that an operator works on. */
export type Place =
  | { readonly kind: "local"; readonly stateDirectory: string; readonly metadataHost: string; readonly bigqueryUrl: string }
  | { readonly kind: "cloud"; readonly customersFile: string };

/** An operator's session with one deployment. */
export interface Session extends Omit<AdminContext, "out" | "user"> {
  readonly place: Place;
  readonly config: Config;
  readonly db: Firestore;
  readonly countries: CountryTable;
  readonly serviceAccounts: ServiceAccounts;
  readonly subscriptions: Subscriptions;
  readonly firestoreAdmin: FirestoreAdmin;
  readonly auditSince: AuditSource;
  /** Writes an audit entry for the operator. Throws if it cannot be written; the error holds the entry. */
  readonly record: (action: AuditEntry["action"], uid: string, subject?: string) => Promise<void>;
}
