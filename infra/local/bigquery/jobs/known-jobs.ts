import { roleOf } from "../../access.ts";
import { isGranted } from "../../iam/roles.ts";
import type { Caller } from "../api/caller.ts";
import { canonicalLocation, DEFAULT_LOCATION } from "../warehouse/locations.ts";
import type { Job } from "./job.ts";
import { jobNotFound } from "./job-store.ts";
import type { QueryEngine } from "./query-engine.ts";

type Known = Pick<QueryEngine, "catalog" | "jobs">;

/**
 * Returns a job that the caller may see: the operator sees all, the service all but the loader's, and so does a function with
 * `bigquery.jobs.get`; others their own. A job outside US and EU
 * needs its location. Throws `notFound`.
 */
export function findJob({ catalog, jobs }: Known, caller: Caller, id: string, location: string | undefined): Job {
  const { project } = catalog;
  const locations = location === undefined ? ["US", "EU"] : [canonicalLocation(location)];
  for (const candidate of locations) {
    const job = jobs.get({ project, location: candidate, id });
    if (job && mayKnow(caller, job)) return job;
  }
  throw jobNotFound({ project, location: locations[0] ?? DEFAULT_LOCATION, id });
}

interface JobList {
  /** Whose jobs: the caller's own, or those of everybody that it may see. */
  readonly of: "caller" | "everybody";
  /** The script whose statements are listed. Undefined: jobs that are no statement of a script. */
  readonly parentId: string | undefined;
}

/** Returns the jobs of a list, newest first. */
export function listJobs({ jobs }: Known, caller: Caller, { of, parentId }: JobList): Job[] {
  const isRequested = (job: Job) => of === "everybody" || job.owner === caller.principal.email;
  return jobs.newestFirst().filter((job) => mayKnow(caller, job) && isRequested(job) && job.parent?.reference.id === parentId);
}

function mayKnow(caller: Caller, job: Job): boolean {
  if (caller.role.kind === "operator" || job.owner === caller.principal.email) return true;
  if (caller.role.kind === "function" && !isGranted(caller.role.grants, "bigquery.jobs.get", "project")) return false;
  return (caller.role.kind === "service" || caller.role.kind === "function") && roleOf({ email: job.owner }).kind !== "loader";
}
