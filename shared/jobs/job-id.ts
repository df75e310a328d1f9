import * as v from "valibot";

/** The name of one of the customer's jobs. */
export const JobId = v.pipe(v.string(), v.uuid());
