import { type Role, reachesBigQuery, readableDataset, roleOf } from "../../access.ts";
import type { Identity, Principal } from "../../identity.ts";
import { BigQueryError } from "../model.ts";

/** Who a request comes from and what that principal may do. */
export interface Caller {
  readonly principal: Principal;
  readonly role: Role;
  /** Set for a reader of one dataset, who may do nothing else than query and look at it. */
  readonly onlyDataset: string | undefined;
}

/** Knows who calls from the request's headers. Throws 401 and 403 errors. */
export type Authenticate = (authorization: string | undefined) => Caller;

/** Checks bearer tokens as Google's front end does. The function it gives throws `required` and `authError` (401) and `insufficientPermissions` (403). */
export function authenticator(identity: Identity): Authenticate {
  return (authorization) => {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? "")?.[1];
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

/** Lets only the service through. Throws `accessDenied` naming the permission that is missing on `resource`, for example `Dataset p:d`. */
export function assertService(caller: Caller, permission: string, resource: string): void {
  if (caller.role.kind === "service") return;
  const on = `${resource.charAt(0).toLowerCase()}${resource.slice(1)}`;
  throw new BigQueryError("accessDenied", `Access Denied: ${resource}: Permission ${permission} denied on ${on} (or it may not exist).`);
}

/** Lets through who may look at the dataset: the service and its reader. Throws `accessDenied`. */
export function assertMayRead(caller: Caller, dataset: string, permission: string, resource: string): void {
  if (caller.onlyDataset === undefined || caller.onlyDataset !== dataset) assertService(caller, permission, resource);
}

/** Lets through who may start jobs. Throws `accessDenied`. */
export function assertMayRunJobs(caller: Caller, project: string): void {
  if (caller.role.kind === "service" || caller.onlyDataset !== undefined) return;
  throw new BigQueryError(
    "accessDenied",
    `Access Denied: Project ${project}: User does not have bigquery.jobs.create permission in project ${project}.`,
  );
}
