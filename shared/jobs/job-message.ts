import * as v from "valibot";
import { JobId } from "./job-id.ts";

/** What travels through the queue and the topic: which delivery of which job. */
export const JobMessage = v.strictObject({ job_id: JobId, attempt: v.number(), step: v.number() });
export type JobMessage = v.InferOutput<typeof JobMessage>;
