import * as v from "valibot";

/** A job's id: a UUID. */
export const JobId = v.pipe(v.string(), v.uuid());
