import type { Caller } from "../api/caller.ts";
import { canonicalLocation, DEFAULT_LOCATION } from "../warehouse/locations.ts";
import type { Job } from "./job.ts";
import { jobNotFound } from "./job-store.ts";
import type { QueryEngine } from "./query-engine.ts";

type Known = Pick<QueryEngine, "catalog" | "jobs">;

/** A job that the caller may know of: the service all, others their own. A job outside US and EU is found with its location only. Throws `notFound`. */
export function findJob({ catalog, jobs }: Known, caller: Caller, id: string, location: string | undefined): Job {
  const { project } = catalog;
  const locations = location === undefined ? ["US", "EU"] : [canonicalLocation(location)];
  for (const place of locations) {
    const job = jobs.get({ project, location: place, id });
    if (job && mayKnow(caller, job)) return job;
  }
  throw jobNotFound({ project, location: locations[0] ?? DEFAULT_LOCATION, id });
}

/** The caller's jobs (or, for the service, everybody's), newest first; the parts of a script only when its id is given. */
export function listJobs({ jobs }: Known, caller: Caller, everybody: boolean, parentId: string | undefined): Job[] {
  const isAsked = (job: Job) => everybody || job.owner === caller.principal.email;
  return jobs.newestFirst().filter((job) => mayKnow(caller, job) && isAsked(job) && job.parent?.reference.id === parentId);
}

function mayKnow(caller: Caller, job: Job): boolean {
  return caller.role.kind === "service" || job.owner === caller.principal.email;
}
