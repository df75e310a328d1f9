import { randomUUID } from "node:crypto";
import type { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { LEDGER, type MigratedWarehouse } from "../../infra/migrations/apply-migrations.ts";
import { classifyError } from "../../shared/google/classify-error.ts";

const Ledger = v.array(v.object({ number: v.number(), checksum: v.string() }));
const Place = v.object({ location: v.string() });
const State = v.object({ status: v.object({ state: v.string() }) });
const Labelled = v.object({ configuration: v.object({ labels: v.optional(v.object({ run: v.optional(v.string()) })) }) });

/**
 * Opens the warehouse of a client for migrations. No location is sent where none is needed: BigQuery runs a statement where its table is. A job of
 * an id is found only where it ran.
 */
export function cloudWarehouse(bigquery: BigQuery): MigratedWarehouse {
  const run = randomUUID();
  const has = async (table: string): Promise<boolean> => {
    const [dataset = "", name = ""] = table.split(".");
    return (await bigquery.dataset(dataset).table(name).exists())[0];
  };
  const runOnce = async (jobId: string, query: string): Promise<boolean> => {
    const [dataset = ""] = LEDGER.split(".");
    const { location } = v.parse(Place, (await bigquery.dataset(dataset).getMetadata())[0]);
    try {
      await bigquery.createQueryJob({ jobId, query, location, labels: { run } });
    } catch (error) {
      if (classifyError(error) !== "alreadyExists") throw error;
    }
    const job = bigquery.job(jobId, { location });
    // The client repeats a request whose answer was lost, so a job that exists may be this run's own.
    const [metadata] = await job.getMetadata();
    const isOwn = v.parse(Labelled, metadata).configuration.labels?.run === run;
    try {
      await job.getQueryResults();
    } catch (error) {
      // Why another run's job failed is for that run to say, if it has ended.
      if (isOwn || v.parse(State, (await job.getMetadata())[0]).status.state !== "DONE") throw error;
    }
    return isOwn;
  };
  return {
    has,
    run: async (sql) => void (await bigquery.query(sql)),
    runOnce,
    ledger: async () => v.parse(Ledger, (await bigquery.query(`SELECT number, checksum FROM ${LEDGER}`))[0]),
  };
}
