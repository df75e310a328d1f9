import type { Config } from "../runtime/config.ts";
import { awaitLoad, type LoadOutcome } from "./await-load.ts";
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
    wait: (jobId, milliseconds, signal) => awaitLoad(bigquery.job(jobId, { location }), milliseconds, signal),
    columns: async (dataset, table) => {
      const [metadata] = await bigquery.dataset(dataset).table(table).getMetadata();
      return columnsOf(metadata);
    },
    drop: async (tables) => {
      await Promise.all(tables.map((table) => staging.table(table).delete({ ignoreNotFound: true })));
    },
  };
}
