import { BigQueryError } from "../model.ts";
import type { Job, JobReference } from "./job.ts";
import type { ResultStore } from "./results.ts";

/** Retention of finished jobs, milliseconds. */
export const JOB_KEPT_MS = 24 * 3600 * 1000;
const KEPT_MAX = 20_000;
const REQUEST_ID_MS = 15 * 60 * 1000;

/** The error for a job that does not exist or that the caller may not see. */
export function jobNotFound({ project, location, id }: JobReference): BigQueryError {
  return new BigQueryError("notFound", `Not found: Job ${project}:${location}.${id}`);
}

/** The jobs of the project. Finished jobs are deleted with their results after a day, or earlier if there are too many. */
export class JobStore {
  readonly #results: ResultStore;
  readonly #now: () => number;
  readonly #jobs = new Map<string, Job>();
  readonly #requests = new Map<string, { readonly job: Job; readonly at: number }>();

  constructor(results: ResultStore, now: () => number) {
    this.#results = results;
    this.#now = now;
  }

  /** Throws `duplicate` if the id is taken in that location. */
  add(job: Job): void {
    this.assertFree(job.reference);
    this.#dropOld();
    this.#jobs.set(keyOf(job.reference), job);
  }

  /** Throws `duplicate` if the id is taken in that location. */
  assertFree(reference: JobReference): void {
    const { project, location, id } = reference;
    if (this.#jobs.has(keyOf(reference))) throw new BigQueryError("duplicate", `Already Exists: Job ${project}:${location}.${id}`);
  }

  /** Removes a job that could not be accepted. */
  remove(job: Job): void {
    this.#jobs.delete(keyOf(job.reference));
    if (job.persisted.requestKey !== undefined) this.#requests.delete(job.persisted.requestKey);
  }

  /** Adds a job of an earlier process, with the key of its request. */
  restore(job: Job): void {
    this.#jobs.set(keyOf(job.reference), job);
    if (job.persisted.requestKey !== undefined) this.#requests.set(job.persisted.requestKey, { job, at: job.creationTime });
  }

  get(reference: JobReference): Job | undefined {
    return this.#jobs.get(keyOf(reference));
  }

  /** Returns all jobs, newest first. */
  newestFirst(): Job[] {
    return [...this.#jobs.values()].reverse();
  }

  /** Returns the job that the same request started within the last 15 minutes, as BigQuery does. */
  ofRequest(key: string): Job | undefined {
    const known = this.#requests.get(key);
    return known && known.at + REQUEST_ID_MS > this.#now() ? known.job : undefined;
  }

  rememberRequest(key: string, job: Job): void {
    this.#requests.set(key, { job, at: this.#now() });
    for (const [old, { at }] of this.#requests) {
      if (at + REQUEST_ID_MS > this.#now() && this.#requests.size <= KEPT_MAX) break;
      this.#requests.delete(old);
    }
  }

  #dropOld(): void {
    const oldest = this.#now() - JOB_KEPT_MS;
    for (const [key, job] of this.#jobs) {
      if (job.endTime === undefined) continue;
      if (this.#jobs.size < KEPT_MAX && job.endTime > oldest) return;
      this.#jobs.delete(key);
      if (job.result) void this.#results.remove(job.result);
    }
  }
}

function keyOf({ location, id }: JobReference): string {
  return `${location}.${id}`;
}
