import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Job } from "./job.ts";
import { type JobRecord, jobOf } from "./job-record.ts";
import type { JobStore } from "./job-store.ts";
import type { ResultStore } from "./results.ts";

/** Restores the jobs of an earlier process, finished and unfinished ones. `records`: oldest first. */
export function restoreJobs(records: readonly JobRecord[], jobs: JobStore, results: ResultStore): void {
  const byId = new Map<string, Job>();
  for (const record of records) {
    const parent = record.parent === undefined ? undefined : byId.get(record.parent);
    const job = jobOf(record, results, parent);
    parent?.children.push(job);
    byId.set(record.reference.id, job);
    jobs.restore(job);
  }
}

/** Removes upload and result files without a job, left by a killed process. */
export async function removeLeftovers(uploads: string, jobs: JobStore, results: ResultStore): Promise<void> {
  const needed = new Set(
    jobs.newestFirst().map(({ state, persisted }) => (state === "DONE" ? undefined : basename(persisted.upload ?? ""))),
  );
  for (const file of await readdir(uploads)) if (!needed.has(file)) await rm(join(uploads, file), { force: true });
  await results.removeOthers();
}
