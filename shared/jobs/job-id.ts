import * as v from "valibot";

/** A job's id: a UUID. */
export const JobId = v.pipe(v.string(), v.uuid());

/** A job's id in a path. Programs write UUIDs in either letter case (RFC 9562, section 4); the service's own are lower case. */
export const JobIdInPath = v.pipe(JobId, v.toLowerCase());
