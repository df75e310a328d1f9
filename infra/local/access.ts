import { personalDatasetName } from "../../scripts/admin/dataset-names.ts";
import permissions from "../generated/permissions.json" with { type: "json" };
import { isGranted } from "./iam/roles.ts";
import { type Principal, SCOPES } from "./identity.ts";

/**
 * IAM bindings of the local cloud; Terraform writes the real ones. Accounts: `fn-{name}@` of each function, with the grants that
 * `infra/generated/permissions.json` lists; `functions@`, as which tests and tools run; `loader@`, `uploader@`, `storage-{uid}@`, `warehouse-{uid}@`, and
 * `operator@`, the project's owner, which may do everything.
 */
export type Role =
  | { readonly kind: "function"; readonly grants: readonly string[] }
  | { readonly kind: "operator" }
  | { readonly kind: "service" }
  | { readonly kind: "loader" }
  | { readonly kind: "uploader" }
  | { readonly kind: "storage-reader"; readonly uid: string }
  | { readonly kind: "warehouse-reader"; readonly uid: string }
  | { readonly kind: "none" };

/** The name of the account as which the provider's data is loaded. */
export const LOADER = "loader";

/** The name of the account as which the provider's deliveries are uploaded. It may create objects in the landing bucket, and nothing else. */
export const UPLOADER = "uploader";

/** The name of the account as which an operator migrates tables. */
export const OPERATOR = "operator";

/** Datasets of raw counts. */
const RAW: readonly string[] = ["intake", "staging"];
/** What a load reads and writes: datasets, and a table. */
const LOADED: readonly string[] = [...RAW, "mobility", "realtime.presence"];

const FUNCTION = "fn-";
const GRANTS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(permissions).map(([name, { grants }]) => [`${FUNCTION}${name}`, grants]),
);

/** The email of each function's service account, by the function's name. */
export function functionAccounts(project: string): ReadonlyMap<string, string> {
  return new Map([...GRANTS_OF.keys()].map((account) => [account.slice(FUNCTION.length), `${account}@${project}.iam.gserviceaccount.com`]));
}

/** The role of a principal: of a function by its grants, of all others by the name of the service account. */
export function roleOf({ email, grants }: Pick<Principal, "email" | "grants">): Role {
  const name = email.slice(0, email.indexOf("@"));
  const granted = grants ?? GRANTS_OF.get(name);
  if (granted) return { kind: "function", grants: granted };
  if (name === OPERATOR) return { kind: "operator" };
  if (name === "functions") return { kind: "service" };
  if (name === LOADER) return { kind: "loader" };
  if (name === UPLOADER) return { kind: "uploader" };
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

/** Whether a role has a permission in the landing bucket. The uploader may create, so it can neither read nor replace what is there. */
export function reachesLanding(role: Role, permission: string): boolean {
  if (role.kind === "function") return isGranted(role.grants, permission, "landing_bucket");
  if (role.kind === "uploader") return permission === "storage.objects.create";
  return ["loader", "operator", "service"].includes(role.kind);
}

/** Whether the token's scopes allow access to BigQuery. */
export function reachesBigQuery(principal: Principal): boolean {
  return principal.scopes.includes(SCOPES.cloudPlatform) || principal.scopes.includes(SCOPES.bigquery);
}

/** The folder of the export bucket that a storage reader can read. It ends in a slash, so `u1` never covers `u10`. */
export function readableFolder(role: Role): string | undefined {
  return role.kind === "storage-reader" ? `results/${role.uid}/` : undefined;
}

/**
 * Whether a role has a permission on a table, or on all of a dataset where none is named. Only functions are told apart by the permission. A
 * customer's reader has only its own dataset, which `readableDataset` names.
 */
export function reachesTable(role: Role, permission: string, dataset: string, table?: string): boolean {
  if (role.kind === "operator") return true;
  // Tables are created in a dataset.
  if (role.kind === "function")
    return isGranted(
      role.grants,
      permission,
      table === undefined || permission === CREATE ? `dataset:${dataset}` : `table:${dataset}.${table}`,
    );
  if (role.kind === "loader") return LOADED.includes(dataset) || (table !== undefined && LOADED.includes(`${dataset}.${table}`));
  return role.kind === "service" && !RAW.includes(dataset);
}

const CREATE = "bigquery.tables.create";

/** Whether a role's query may read a table, by itself or through a view. No dataset of raw counts authorises a view. */
export function mayQuery(role: Role, dataset: string, table: string): boolean {
  return readableDataset(role) === undefined ? reachesTable(role, "bigquery.tables.getData", dataset, table) : !RAW.includes(dataset);
}

/** The dataset that a warehouse reader can query. */
export function readableDataset(role: Role): string | undefined {
  return role.kind === "warehouse-reader" ? personalDatasetName(role.uid) : undefined;
}
