import { reachesLanding, reachesStorage, readableFolder, roleOf } from "../access.ts";
import { bearerToken } from "../iam/bearer-token.ts";
import { isGranted } from "../iam/roles.ts";
import type { Identity, Principal } from "../identity.ts";
import type { Operation } from "./operation.ts";
import { StorageFault } from "./storage-fault.ts";

const REALM = 'Bearer realm="https://accounts.google.com/"';
const SCOPES_FOR = {
  read: "https://www.googleapis.com/auth/devstorage.read_only",
  write: "https://www.googleapis.com/auth/devstorage.read_write",
} as const;

type Resource = "Google Cloud project" | "Google Cloud Storage bucket" | "Google Cloud Storage object";

interface Need {
  readonly permission: `storage.${"buckets" | "objects"}.${string}`;
  readonly on: Resource;
  readonly access: "read" | "write";
}

const LIST_BUCKETS: Need = { permission: "storage.buckets.list", on: "Google Cloud project", access: "read" };
const GET_BUCKET: Need = { permission: "storage.buckets.get", on: "Google Cloud Storage bucket", access: "read" };
const LIST: Need = { permission: "storage.objects.list", on: "Google Cloud Storage bucket", access: "read" };
const GET: Need = { permission: "storage.objects.get", on: "Google Cloud Storage object", access: "read" };
const CREATE: Need = { permission: "storage.objects.create", on: "Google Cloud Storage object", access: "write" };
const UPDATE: Need = { permission: "storage.objects.update", on: "Google Cloud Storage object", access: "write" };
const DELETE: Need = { permission: "storage.objects.delete", on: "Google Cloud Storage object", access: "write" };

const NEEDS = {
  listBuckets: LIST_BUCKETS,
  getBucket: GET_BUCKET,
  listObjects: LIST,
  getMetadata: GET,
  getMedia: GET,
  insert: CREATE,
  patch: UPDATE,
  delete: DELETE,
  copy: CREATE,
  unsupported: UPDATE,
} as const satisfies Record<Exclude<Operation["kind"], "continueUpload">, Need>;

/** Returns the principal of a request's bearer token. Throws a 401 if the token is missing or no longer valid. */
export function authenticate(identity: Identity, authorization: string | undefined, operation: Operation): Principal {
  const token = bearerToken(authorization);
  const principal = token === undefined ? undefined : identity.verify(token);
  if (principal) return principal;
  if (authorization !== undefined) {
    throw new StorageFault("badCredentials", "Invalid Credentials", { "WWW-Authenticate": `${REALM}, error=invalid_token` });
  }
  throw new StorageFault("unauthenticated", denial("Anonymous caller", needOf(operation)), { "WWW-Authenticate": REALM });
}

/** The buckets whose permissions differ by account. */
export interface Buckets {
  readonly exports: string | undefined;
  readonly landing: string | undefined;
}

/**
 * Throws a 403 unless the principal may do this. The decision uses the request alone, before any lookup, so that nobody learns what exists
 * elsewhere. Readers see only their own folder of the export bucket.
 */
export function authorise(principal: Principal, operation: Operation, query: URLSearchParams, buckets: Buckets): void {
  const need = needOf(operation);
  if (!reachesStorage(principal, need.access)) {
    const challenge = `${REALM}, error=insufficient_scope, scope="${SCOPES_FOR[need.access]}"`;
    throw new StorageFault("forbidden", "Provided scope(s) are not authorized", { "WWW-Authenticate": challenge });
  }
  const role = roleOf(principal);
  if (role.kind === "service") return;
  const bucket = bucketOf(operation);
  if (bucket !== undefined && bucket === buckets.landing && reachesLanding(role, need.permission)) return;
  if (role.kind === "function" && bucket === buckets.exports && isGranted(role.grants, need.permission, "export_bucket")) return;
  const folder = readableFolder(role);
  if (folder === undefined || !isWithin(operation, query, buckets.exports, folder))
    throw new StorageFault("forbidden", denial(principal.email, need));
}

/** Returns whether the principal may replace an object that it uploads again: Cloud Storage asks for `storage.objects.delete` then. */
export function mayReplace(principal: Principal, operation: Operation, { landing }: Buckets): boolean {
  return bucketOf(operation) !== landing || reachesLanding(roleOf(principal), DELETE.permission);
}

/** Returns the one bucket that an operation reaches. A copy between two buckets has none. */
function bucketOf(operation: Operation): string | undefined {
  if (operation.kind === "copy") return operation.from.bucket === operation.to.bucket ? operation.to.bucket : undefined;
  return "bucket" in operation ? operation.bucket : undefined;
}

function isWithin(operation: Operation, query: URLSearchParams, exportBucket: string | undefined, folder: string): boolean {
  switch (operation.kind) {
    case "getMetadata":
    case "getMedia":
      return operation.bucket === exportBucket && operation.name.startsWith(folder);
    case "listObjects":
      return operation.bucket === exportBucket && (query.get("prefix") ?? "").startsWith(folder);
    default:
      return false;
  }
}

function needOf(operation: Operation): Need {
  return operation.kind === "continueUpload" ? CREATE : NEEDS[operation.kind];
}

function denial(who: string, { permission, on }: Need): string {
  return `${who} does not have ${permission} access to the ${on}. Permission '${permission}' denied on resource (or it may not exist).`;
}
