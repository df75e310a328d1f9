import { rm } from "node:fs/promises";
import { asBigQueryError, DetailedError } from "../errors.ts";
import type { Job } from "./job.ts";
import type { QueryEngine } from "./query-engine.ts";

/** Runs jobs. Where they are kept, a job is on the disk before anybody hears of it, and so is its end. */
export class JobRunner {
  readonly #engine: Pick<QueryEngine, "jobs" | "persistence" | "now">;
  readonly #running = new Set<Promise<void>>();
  /** Jobs that are over, but found no room for the word of it. */
  readonly #untold = new Set<Job>();
  #closing = false;

  constructor(engine: Pick<QueryEngine, "jobs" | "persistence" | "now">) {
    this.#engine = engine;
  }

  /** Stops what runs and waits for its end. Jobs that are kept go on in the next process. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#engine.jobs.newestFirst()) job.stop("Job execution was cancelled: the server is shutting down");
    await Promise.allSettled([...this.#running]);
    await this.keepEnds();
  }

  /** Keeps the ends that could not be kept at their time, so that the next process does not take those jobs up again. */
  async keepEnds(): Promise<void> {
    for (const job of this.#untold) {
      await this.#engine.persistence?.keep(job).then(
        () => this.#untold.delete(job),
        () => undefined,
      );
    }
  }

  /** Keeps a new job, before its caller hears of it. Throws `backendError` when that cannot be; then there is none. */
  async accept(job: Job): Promise<void> {
    try {
      await this.keep(job);
    } catch (error) {
      this.#engine.jobs.remove(job);
      throw error;
    }
  }

  /** Keeps a job as it stands. Throws `backendError`. */
  async keep(job: Job): Promise<void> {
    try {
      await this.#engine.persistence?.keep(job);
    } catch (error) {
      throw asBigQueryError(error);
    }
  }

  /** Runs a job by itself to its end. */
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
        this.#untold.add(job);
      })
      .finally(() => {
        clearTimeout(timer);
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Keeps the end of a job and then tells it. A job that is stopped by the server's own end has none: the next process goes on with it. */
  async #end(job: Job, thrown: unknown): Promise<void> {
    const { persistence, now } = this.#engine;
    if (this.#closing && persistence && thrown !== undefined) return;
    const error = thrown === undefined ? undefined : asBigQueryError(thrown);
    if (error?.reason === "internalError") console.error(thrown);
    const end = { at: now(), error, details: error instanceof DetailedError ? error.details : [] };
    const { statements, committed, upload } = job.persisted;
    // What a job changes is committed with the word that it is done: then its end is on the disk already.
    if (persistence && (error || committed < statements || job.children.length > 0)) {
      if (!error) for (const { result } of [job, ...job.children]) await result?.keep();
      await persistence.keepEnd(job, end);
    }
    job.finish(end.at, end.error, end.details);
    if (upload !== undefined) await rm(upload, { force: true });
  }
}
