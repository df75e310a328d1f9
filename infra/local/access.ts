import { type Principal, SCOPES } from "./identity.ts";

/** IAM bindings of the local cloud; Terraform writes the real ones. Accounts: `functions@`, `storage-{uid}@`, `warehouse-{uid}@`. */
export type Role =
  | { readonly kind: "service" }
  | { readonly kind: "storage-reader"; readonly uid: string }
  | { readonly kind: "warehouse-reader"; readonly uid: string }
  | { readonly kind: "none" };

/** The role of a principal, derived from the name of its service account. */
export function roleOf(principal: Principal): Role {
  const name = principal.email.slice(0, principal.email.indexOf("@"));
  if (name === "functions") return { kind: "service" };
  const customer = /^(storage|warehouse)-([a-z][a-z0-9]{7,19})$/.exec(name);
  if (customer?.[1] === "storage" && customer[2]) return { kind: "storage-reader", uid: customer[2] };
  if (customer?.[1] === "warehouse" && customer[2]) return { kind: "warehouse-reader", uid: customer[2] };
  return { kind: "none" };
}

/** Whether the token's scopes allow access to Cloud Storage. Writes need cloud-platform. */
export function reachesStorage(principal: Principal, access: "read" | "write"): boolean {
  if (principal.scopes.includes(SCOPES.cloudPlatform)) return true;
  return access === "read" && principal.scopes.includes(SCOPES.storageRead);
}

/** Whether the token's scopes allow access to BigQuery. */
export function reachesBigQuery(principal: Principal): boolean {
  return principal.scopes.includes(SCOPES.cloudPlatform) || principal.scopes.includes(SCOPES.bigquery);
}

/** The folder of the export bucket that a storage reader can read. It ends in a slash, so `u1` never covers `u10`. */
export function readableFolder(role: Role): string | undefined {
  return role.kind === "storage-reader" ? `results/${role.uid}/` : undefined;
}

/** The dataset that a warehouse reader can query. */
export function readableDataset(role: Role): string | undefined {
  return role.kind === "warehouse-reader" ? `customer_${role.uid}` : undefined;
}
