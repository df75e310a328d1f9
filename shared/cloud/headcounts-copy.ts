import type { Config } from "../config.ts";
import type { HeadcountRow } from "../realtime/headcount-rows.ts";
import { bigqueryClient } from "./bigquery.ts";
import { statusOf } from "./client-error.ts";

/** The copy of the headcounts for linked datasets in `eu`. */
export interface HeadcountsCopy {
  /** Loads the rows of a tick, once: the load job's id is made of the tick. Resolves when they are there. */
  readonly load: (jobId: string, rows: readonly HeadcountRow[]) => Promise<void>;
}

/** `realtime_eu.headcounts`, by one load job a tick. */
export function openHeadcountsCopy(config: Config): HeadcountsCopy {
  const bigquery = bigqueryClient(config);
  const table = bigquery.dataset("realtime_eu").table("headcounts", { location: "EU" });
  return {
    load: async (jobId, rows) => {
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      try {
        await upload(table.createWriteStream({ sourceFormat: "NEWLINE_DELIMITED_JSON", writeDisposition: "WRITE_APPEND", jobId }), lines);
      } catch (error) {
        if (statusOf(error) !== 409) throw error;
      }
      await bigquery.job(jobId, { location: "EU" }).promise();
    },
  };
}

function upload(stream: NodeJS.WritableStream, content: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("job", () => resolve());
    stream.end(content);
  });
}
