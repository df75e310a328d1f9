import type { CountryTable } from "../countries/country-rules.ts";
import type { Warehouse } from "../google/bigquery.ts";
import type { Job } from "../jobs/jobs.ts";
import { openRequest } from "../products/catalogue.ts";
import { dataVersionsStatement } from "../products/product-query.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

/** How long the ledger is waited for: results must not be slow because of what is told beside them. */
const LEDGER_MS_MAX = 3000;

/**
 * Whether data of a completed job's window has been loaded since the job read it, by the ledger. Null when that cannot be told now: results
 * that are there are given even while the warehouse is down.
 */
export async function isSuperseded(job: Job, table: CountryTable, warehouse: Warehouse, log: Log): Promise<boolean | null> {
  const rules = table[job.request.country_code];
  const prepared = rules && openRequest(job.request, rules);
  if (!prepared || !job.result) return null;
  try {
    const labels = { customer: job.uid, purpose: "superseded" };
    const asked = warehouse.queryOne(dataVersionsStatement(prepared.query()), labels);
    const { data_versions } = await withTimeout(asked, LEDGER_MS_MAX);
    return JSON.stringify(data_versions) !== JSON.stringify(job.result.dataVersions);
  } catch (fault) {
    log("WARNING", "The ledger could not be asked whether results are superseded", { jobId: job.id, ...describeError(fault) });
    return null;
  }
}
