import type { CountryTable } from "../countries/country-rules.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { TableState } from "../google/table-state.ts";
import type { Job } from "../jobs/jobs.ts";
import { openRequest } from "../products/catalogue.ts";
import { dataVersionsStatement, type ProductQuery } from "../products/product-query.ts";
import type { DataVersion } from "../products/result-meta.ts";
import { keepRecent } from "../runtime/keep-recent.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { withTimeout } from "../runtime/with-timeout.ts";

/** How long to wait for the ledger, in milliseconds: an extra field must not slow down results. */
const LEDGER_MS_MAX = 3000;
/** How many answers of the ledger a process keeps. */
const KEPT_MAX = 1000;

/** Returns the data versions of a query's window, by date. Throws the warehouse's error. */
type ReadDataVersions = (query: ProductQuery, labels: Labels) => Promise<readonly DataVersion[]>;

/**
 * Opens the data versions in the ledger. What a customer has asked is answered from memory until the ledger changes, which costs no query: BigQuery tells
 * the state of a table for nothing. Each customer has answers of its own, so that the time of an answer does not tell what others ask.
 */
export function openDataVersions(tableState: TableState, { queryOne }: Pick<Warehouse, "queryOne">): ReadDataVersions {
  const kept = new Map<string, { readonly state: string; readonly versions: readonly DataVersion[] }>();
  return async (query, labels) => {
    const { country_code, first_date, last_date } = query.parameters;
    const key = JSON.stringify([labels.customer, query.table, country_code, first_date, last_date]);
    // Before the query: what it returns is at least as new.
    const state = await tableState("mobility", "batches");
    const known = kept.get(key);
    if (known?.state === state) return known.versions;
    const { data_versions: versions } = await queryOne(dataVersionsStatement(query), labels);
    keepRecent(kept, key, { state, versions }, KEPT_MAX);
    return versions;
  };
}

/**
 * Returns whether data of a completed job's window has been loaded since the job read it, according to the ledger. Null when the ledger
 * does not answer: results are served even while the warehouse is down.
 */
export async function isSuperseded(job: Job, table: CountryTable, readVersions: ReadDataVersions, log: Log): Promise<boolean | null> {
  const rules = table[job.request.country_code];
  const prepared = rules && openRequest(job.request, rules);
  if (!prepared || !job.result) return null;
  try {
    const labels = { customer: job.uid, purpose: "superseded" };
    const versions = await withTimeout(readVersions(prepared.query(), labels), LEDGER_MS_MAX);
    return JSON.stringify(versions) !== JSON.stringify(job.result.dataVersions);
  } catch (error) {
    log("WARNING", "The ledger could not be asked whether results are superseded", { jobId: job.id, ...describeError(error) });
    return null;
  }
}
