import type { Job } from "../jobs/jobs.ts";

/** Returns the ids of an attempt's warehouse jobs. They derive from job and attempt, so that a repeated start attaches to the same job. */
export function warehouseJobIds({ id, attempt }: Pick<Job, "id" | "attempt">) {
  const exported = `agg_${id}_${attempt}`;
  return { summary: `${exported}_summary`, exported };
}
