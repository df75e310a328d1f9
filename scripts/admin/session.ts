import type { Firestore } from "@google-cloud/firestore";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import type { AuditEntry } from "../../shared/runtime/audit.ts";
import type { Config } from "../../shared/runtime/config.ts";
import type { AdminContext } from "./context.ts";
import type { ServiceAccounts } from "./service-accounts.ts";

/** Where an operator works. */
export type Place =
  | { readonly kind: "local"; readonly stateDirectory: string; readonly metadataHost: string; readonly bigqueryUrl: string }
  | { readonly kind: "cloud"; readonly customersFile: string };

/** An operator at work in one deployment. */
export interface Session extends Omit<AdminContext, "out" | "user"> {
  readonly place: Place;
  readonly config: Config;
  readonly db: Firestore;
  readonly countries: CountryTable;
  readonly serviceAccounts: ServiceAccounts;
  /** Writes an audit entry of the operator's. Throws when it could not be written, with what was done. */
  readonly record: (action: AuditEntry["action"], uid: string, subject?: string) => Promise<void>;
}
