import * as v from "valibot";
import { JobId } from "./job-id.ts";

/** The message in the queue and on the topic. It identifies one delivery of one job. */
export const JobMessage = v.strictObject({ job_id: JobId, attempt: v.number(), step: v.number() });
export type JobMessage = v.InferOutput<typeof JobMessage>;
