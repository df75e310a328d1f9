import * as v from "valibot";

/** A job's id: a UUID. */
export const JobId = v.pipe(v.string(), v.uuid());

/** What is said of an id of no job, of another customer's, and of one that cannot be an id. */
export const NO_SUCH_JOB = "There is no such job";

/** A job's id in a path. Programs write UUIDs in either letter case (RFC 9562, section 4); the service's own are lower case. */
export const JobIdInPath = v.pipe(v.string(), v.uuid(NO_SUCH_JOB), v.toLowerCase());
