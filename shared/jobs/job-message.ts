import * as v from "valibot";
import { JobId } from "./job-id.ts";

/**
 * The message in the queue and on the topic. It identifies one delivery of one job. Members that a newer release adds are ignored: while it is
 * rolled out, either release receives the messages of the other.
 */
export const JobMessage = v.object({ job_id: JobId, attempt: v.number(), step: v.number() });
export type JobMessage = v.InferOutput<typeof JobMessage>;
