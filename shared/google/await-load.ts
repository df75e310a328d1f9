import { setTimeout as delay } from "node:timers/promises";
import type { Job } from "@google-cloud/bigquery";
import * as v from "valibot";

/** An error that BigQuery reports of a load. `location` is the object. */
export interface LoadError {
  readonly reason: string;
  readonly message: string;
  readonly location: string | undefined;
}

/** The state of a load job. `rows` is the number of loaded rows. */
export type LoadOutcome =
  | { readonly state: "done"; readonly rows: number }
  | { readonly state: "running" }
  | { readonly state: "failed"; readonly reason: string; readonly message: string; readonly errors: readonly LoadError[] };

/** A load takes from tens of milliseconds here to minutes at Google, and asking costs a request. The client itself would ask twice a second. */
const ASK_MS = { first: 20, most: 2000 };

const ErrorProto = v.object({ reason: v.optional(v.string(), ""), message: v.optional(v.string(), ""), location: v.optional(v.string()) });
const JobMetadata = v.object({
  status: v.object({ state: v.string(), errorResult: v.optional(ErrorProto), errors: v.optional(v.array(ErrorProto), []) }),
  statistics: v.optional(
    v.object({
      load: v.optional(v.object({ outputRows: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number)), 0) })),
    }),
  ),
});

/**
 * Waits for a load job, at most this long. Returns `running` if it is not over then, or `signal` is aborted first. Throws the client's error of a
 * request that fails.
 */
export async function awaitLoad(job: Job, milliseconds: number, signal?: AbortSignal): Promise<LoadOutcome> {
  const until = Date.now() + milliseconds;
  for (let pause = ASK_MS.first; ; pause = Math.min(2 * pause, ASK_MS.most)) {
    const [metadata] = await job.getMetadata();
    const { status, statistics } = v.parse(JobMetadata, metadata);
    if (status.state === "DONE") {
      if (!status.errorResult) return { state: "done", rows: statistics?.load?.outputRows ?? 0 };
      const errors = status.errors.length > 0 ? status.errors : [status.errorResult];
      const { reason, message } = status.errorResult;
      return { state: "failed", reason, message, errors: errors.map((one) => ({ ...one, location: one.location })) };
    }
    if (Date.now() + pause > until || signal?.aborted) return { state: "running" };
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}
