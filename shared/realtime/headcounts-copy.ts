import * as v from "valibot";
import { bigqueryClient } from "../google/bigquery-client.ts";
import { classifyError } from "../google/classify-error.ts";
import type { Config } from "../runtime/config.ts";
import type { HeadcountRow } from "./headcount-rows.ts";

/** The copy of the headcounts for linked datasets in `eu`. */
export interface HeadcountsCopy {
  /**
   * Loads the rows of a tick under the caller's job id, or attaches to the job if the id exists. Resolves once the rows are loaded, or with
   * the reason if the load failed permanently.
   */
  readonly load: (jobId: string, rows: readonly HeadcountRow[]) => Promise<string | undefined>;
}

/** Opens `realtime_eu.headcounts`. It uses one load job per tick. */
export function openHeadcountsCopy(config: Config): HeadcountsCopy {
  const bigquery = bigqueryClient(config);
  const table = bigquery.dataset("realtime_eu").table("headcounts", { location: "EU" });
  return {
    load: async (jobId, rows) => {
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      try {
        await upload(table.createWriteStream({ sourceFormat: "NEWLINE_DELIMITED_JSON", writeDisposition: "WRITE_APPEND", jobId }), lines);
      } catch (error) {
        if (classifyError(error) !== "alreadyExists") throw error;
      }
      const job = bigquery.job(jobId, { location: "EU" });
      try {
        await job.promise();
        return undefined;
      } catch (error) {
        // The client throws both for a failed job and for a failed request. The job's status distinguishes them.
        const [metadata] = await job.getMetadata();
        const { status } = v.parse(Failed, metadata);
        if (status.state !== "DONE" || !status.errorResult) throw error;
        return status.errorResult.message;
      }
    },
  };
}

const Failed = v.object({
  status: v.object({ state: v.string(), errorResult: v.optional(v.object({ message: v.optional(v.string(), "") })) }),
});

function upload(stream: NodeJS.WritableStream, content: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("job", () => resolve());
    stream.end(content);
  });
}
