import { type Role, reachesBigQuery, reachesLanding, reachesTable, readableDataset, roleOf } from "../../access.ts";
import { bearerToken } from "../../iam/bearer-token.ts";
import { isGranted } from "../../iam/roles.ts";
import type { Identity, Principal } from "../../identity.ts";
import { reservationId } from "../jobs/job.ts";
import { BigQueryError } from "../model.ts";

/** The principal that sends a request, and what it may do. */
export interface Caller {
  readonly principal: Principal;
  readonly role: Role;
  /** Set for the reader of one dataset, which may only query and view that dataset. */
  readonly onlyDataset: string | undefined;
}

/** Determines the caller from the `Authorization` header. Throws 401 and 403 errors. */
export type Authenticate = (authorization: string | undefined) => Caller;

/**
 * Returns a check of bearer tokens that works as Google's front end does. The check throws `required` and `authError` (401) and
 * `insufficientPermissions` (403).
 */
export function authenticator(identity: Identity): Authenticate {
  return (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined)
      throw new BigQueryError(
        "required",
        "Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      );
    const principal = identity.verify(token);
    if (!principal)
      throw new BigQueryError(
        "authError",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      );
    if (!reachesBigQuery(principal)) throw new BigQueryError("insufficientPermissions", "Request had insufficient authentication scopes.");
    const role = roleOf(principal);
    return { principal, role, onlyDataset: readableDataset(role) };
  };
}

/** A table, or all of a dataset. */
export interface Resource {
  readonly dataset: string;
  readonly table?: string;
}

/** Allows only those who manage datasets. Throws `accessDenied` naming the permission that is missing on `resource`, for example `Dataset p:d`. */
export function assertMayManage(caller: Caller, permission: string, resource: string, dataset?: string): void {
  const isManager = caller.role.kind === "operator" || caller.role.kind === "service";
  if (!isManager || (dataset !== undefined && !reachesTable(caller.role, permission, dataset))) throw denied(permission, resource);
}

/** Allows only those who reach the table or the dataset. Throws `accessDenied`. */
export function assertMayChange(caller: Caller, { dataset, table }: Resource, permission: string, resource: string): void {
  if (!reachesTable(caller.role, permission, dataset, table)) throw denied(permission, resource);
}

/** Allows those who reach the table or the dataset, and the reader of the dataset. Throws `accessDenied`. */
export function assertMayRead(caller: Caller, read: Resource, permission: string, resource: string): void {
  if (caller.onlyDataset === undefined || caller.onlyDataset !== read.dataset) assertMayChange(caller, read, permission, resource);
}

/** Allows those who reach the object with their own permissions: a load reads as its caller. Throws `accessDenied`. */
export function assertMayReadObject({ principal, role }: Caller, uri: string, landingBucket: string | undefined): void {
  const isLanded = landingBucket !== undefined && uri.startsWith(`gs://${landingBucket}/`);
  if (isLanded ? reachesLanding(role, "storage.objects.get") : role.kind === "operator" || role.kind === "service") return;
  const message = `Access Denied: File ${uri}: ${principal.email} does not have storage.objects.get access to the Google Cloud Storage object.`;
  throw new BigQueryError("accessDenied", message);
}

/** Allows those who may run jobs in the reservation of this full name. Without one, or on demand (`none`), anybody. Throws `accessDenied`. */
export function assertMayUseReservation({ role }: Caller, reservation: string | undefined): void {
  if (reservation === undefined || reservation === "none") return;
  const permission = "bigquery.reservations.use";
  const isAllowed =
    role.kind === "function" ? isGranted(role.grants, permission, "reservation") : ["operator", "service"].includes(role.kind);
  if (!isAllowed) throw denied(permission, `Reservation ${reservationId(reservation)}`);
}

function denied(permission: string, resource: string): BigQueryError {
  const on = `${resource.charAt(0).toLowerCase()}${resource.slice(1)}`;
  return new BigQueryError("accessDenied", `Access Denied: ${resource}: Permission ${permission} denied on ${on} (or it may not exist).`);
}

/** Whether a caller may start jobs. */
export function runsJobs({ role, onlyDataset }: Caller): boolean {
  if (role.kind === "function") return isGranted(role.grants, "bigquery.jobs.create", "project");
  return ["operator", "service", "loader"].includes(role.kind) || onlyDataset !== undefined;
}

/** Allows callers that may start jobs. Throws `accessDenied`. */
export function assertMayRunJobs(caller: Caller, project: string): void {
  if (runsJobs(caller)) return;
  throw new BigQueryError(
    "accessDenied",
    `Access Denied: Project ${project}: User does not have bigquery.jobs.create permission in project ${project}.`,
  );
}
