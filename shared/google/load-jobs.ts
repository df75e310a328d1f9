import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Config } from "../runtime/config.ts";
import type { Labels } from "./bigquery.ts";
import { bigqueryClient } from "./bigquery-client.ts";
import { classifyError } from "./classify-error.ts";
import { type Column, columnsOf } from "./columns.ts";

/** One load job: objects of one format into a table of `staging`, which it replaces. */
interface StagingLoad {
  /** The table's name in `staging`. */
  readonly table: string;
  /** `gs://bucket/object`, at most 10,000: https://cloud.google.com/bigquery/quotas#load_jobs. */
  readonly uris: readonly string[];
  readonly format: "CSV" | "PARQUET";
  /** The columns of the objects; of CSV in their order. */
  readonly columns: readonly Column[];
}

/** An error that BigQuery reports of a load. `location` is the object. */
export interface LoadError {
  readonly reason: string;
  readonly message: string;
  readonly location: string | undefined;
}

/** The state of a load job. `rows` is the number of loaded rows. */
type LoadOutcome =
  | { readonly state: "done"; readonly rows: number }
  | { readonly state: "running" }
  | { readonly state: "failed"; readonly reason: string; readonly message: string; readonly errors: readonly LoadError[] };

export interface LoadJobs {
  /** Starts a load under the caller's job id, or attaches to the job with that id: the id is the lock. Throws the client's error. */
  readonly start: (jobId: string, load: StagingLoad, labels: Labels) => Promise<void>;
  /** Waits for a load, at most this long. Returns `running` if it is not over then, or `signal` is aborted first. */
  readonly wait: (jobId: string, milliseconds: number, signal?: AbortSignal) => Promise<LoadOutcome>;
  /** Returns the columns of a table. Throws the client's error. */
  readonly columns: (dataset: string, table: string) => Promise<readonly Column[]>;
  /** Removes tables of `staging`. Those that are not there are ignored. */
  readonly drop: (tables: readonly string[]) => Promise<void>;
}

/** A load takes seconds to minutes, and asking costs a request. */
const ASK_MS = { first: 50, most: 2000 };

const ErrorProto = v.object({ reason: v.optional(v.string(), ""), message: v.optional(v.string(), ""), location: v.optional(v.string()) });
const JobMetadata = v.object({
  status: v.object({ state: v.string(), errorResult: v.optional(ErrorProto), errors: v.optional(v.array(ErrorProto), []) }),
  statistics: v.optional(
    v.object({
      load: v.optional(v.object({ outputRows: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number)), 0) })),
    }),
  ),
});

/** Opens BigQuery for loads from the landing bucket into `staging`. */
export function openLoadJobs(config: Config): LoadJobs {
  // The client would send a location of its own in load jobs, whose API has no such field there.
  const bigquery = bigqueryClient(config);
  const { region: location } = config;
  const staging = bigquery.dataset("staging");
  return {
    start: async (jobId, { table, uris, format, columns }, labels) => {
      const { projectId } = bigquery;
      const fields = columns.map(({ name, type, required }) => ({ name, type, mode: required ? "REQUIRED" : "NULLABLE" }));
      const load = {
        sourceUris: [...uris],
        sourceFormat: format,
        destinationTable: { projectId, datasetId: "staging", tableId: table },
        schema: { fields },
        writeDisposition: "WRITE_TRUNCATE",
        ...(format === "CSV" ? { skipLeadingRows: 1, allowQuotedNewlines: false } : {}),
      };
      try {
        await bigquery.createJob({ jobId, location, configuration: { load, labels: { ...labels } } });
      } catch (error) {
        if (classifyError(error) !== "alreadyExists") throw error;
      }
    },
    wait: async (jobId, milliseconds, signal) => {
      const until = Date.now() + milliseconds;
      for (let pause = ASK_MS.first; ; pause = Math.min(2 * pause, ASK_MS.most)) {
        const [metadata] = await bigquery.job(jobId, { location }).getMetadata();
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
    },
    columns: async (dataset, table) => {
      const [metadata] = await bigquery.dataset(dataset).table(table).getMetadata();
      return columnsOf(metadata);
    },
    drop: async (tables) => {
      await Promise.all(tables.map((table) => staging.table(table).delete({ ignoreNotFound: true })));
    },
  };
}
