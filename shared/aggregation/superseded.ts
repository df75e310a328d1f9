import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import type { Job } from "../jobs/jobs.ts";
import { openRequest } from "../products/catalogue.ts";
import { dataVersionsStatement } from "../products/product-query.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

/** How long to wait for the ledger, in milliseconds: an extra field must not slow down results. */
const LEDGER_MS_MAX = 3000;

/**
 * Returns whether data of a completed job's window has been loaded since the job read it, according to the ledger. Null when the ledger
 * does not answer: results are served even while the warehouse is down.
 */
export async function isSuperseded(
  job: Job,
  table: CountryTable,
  warehouse: Pick<Warehouse, "queryOne">,
  log: Log,
): Promise<boolean | null> {
  const rules = table[job.request.country_code];
  const prepared = rules && openRequest(job.request, rules);
  if (!prepared || !job.result) return null;
  try {
    const labels = { customer: job.uid, purpose: "superseded" };
    const reading = warehouse.queryOne(dataVersionsStatement(prepared.query()), labels);
    const { data_versions } = await withTimeout(reading, LEDGER_MS_MAX);
    return JSON.stringify(data_versions) !== JSON.stringify(job.result.dataVersions);
  } catch (error) {
    log("WARNING", "The ledger could not be asked whether results are superseded", { jobId: job.id, ...describeError(error) });
    return null;
  }
}
