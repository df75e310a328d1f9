import { rm } from "node:fs/promises";
import { asBigQueryError, DetailedError } from "../errors.ts";
import type { Job } from "./job.ts";
import type { QueryEngine } from "./query-engine.ts";

/** Runs jobs. With persistence, a job is on the disk before it is published, and so is its end. */
export class JobRunner {
  readonly #engine: Pick<QueryEngine, "jobs" | "persistence" | "now">;
  readonly #running = new Set<Promise<void>>();
  /** Finished jobs whose end could not be written. */
  readonly #unwrittenEnds = new Set<Job>();
  #closing = false;

  constructor(engine: Pick<QueryEngine, "jobs" | "persistence" | "now">) {
    this.#engine = engine;
  }

  /** Stops running jobs and waits for them. With persistence, the next process resumes them. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#engine.jobs.newestFirst()) job.stop("Job execution was cancelled: the server is shutting down");
    await Promise.allSettled([...this.#running]);
    await this.keepEnds();
  }

  /** Writes the ends that could not be written before, so that the next process does not resume those jobs. */
  async keepEnds(): Promise<void> {
    for (const job of this.#unwrittenEnds) {
      await this.#engine.persistence?.keep(job).then(
        () => this.#unwrittenEnds.delete(job),
        () => undefined,
      );
    }
  }

  /** Writes a new job before its id is returned. Throws `backendError` if that fails; the job then does not exist. */
  async accept(job: Job): Promise<void> {
    try {
      await this.keep(job);
    } catch (error) {
      this.#engine.jobs.remove(job);
      throw error;
    }
  }

  /** Writes the current state of a job. Throws `backendError`. */
  async keep(job: Job): Promise<void> {
    try {
      await this.#engine.persistence?.keep(job);
    } catch (error) {
      throw asBigQueryError(error);
    }
  }

  /** Runs a job to its end in the background. */
  run(job: Job, work: () => Promise<void>): void {
    const { timeoutMs: jobTimeoutMs } = job.persisted;
    const stop = () => job.stop(`Job execution was cancelled: Job timed out after ${Math.ceil((jobTimeoutMs ?? 0) / 1000)}s`);
    const timer = jobTimeoutMs === undefined ? undefined : setTimeout(stop, jobTimeoutMs);
    const running = work()
      .then(() => this.#end(job, undefined))
      .catch((thrown: unknown) => this.#end(job, thrown))
      .catch((thrown: unknown) => {
        console.error(thrown);
        job.finish(this.#engine.now(), asBigQueryError(thrown));
        this.#unwrittenEnds.add(job);
      })
      .finally(() => {
        clearTimeout(timer);
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Writes the end of a job, then publishes it. A job stopped by the server's shutdown does not end: the next process resumes it. */
  async #end(job: Job, thrown: unknown): Promise<void> {
    const { persistence, now } = this.#engine;
    if (this.#closing && persistence && thrown !== undefined) return;
    const error = thrown === undefined ? undefined : asBigQueryError(thrown);
    if (error?.reason === "internalError") console.error(thrown);
    const end = { at: now(), error, details: error instanceof DetailedError ? error.details : [] };
    const { statements, committed, upload } = job.persisted;
    // A job's changes are committed together with its end record. Then the end is already on the disk.
    if (persistence && (error || committed < statements || job.children.length > 0)) {
      if (!error) for (const { result } of [job, ...job.children]) await result?.keep();
      await persistence.keepEnd(job, end);
    }
    job.finish(end.at, end.error, end.details);
    if (upload !== undefined) await rm(upload, { force: true });
  }
}
