import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { isNotFound } from "../../../shared/google/classify-error.ts";
import { firestore, usageFirestore } from "../../../shared/google/firestore.ts";
import { openExports } from "../../../shared/google/storage.ts";
import { type CustomerDataset, openCustomerTables } from "../../../shared/realtime/customer-tables.ts";
import { underTest } from "./service-under-test.ts";

const Job = v.object({ status: v.object({ state: v.string() }) });

/** Counts everything that the service stores of a customer, by kind. `jobIds`: the jobs whose idempotency keys are counted. */
export async function inventory(uid: string, jobIds: readonly string[]) {
  const { config } = underTest();
  const db = firestore(config);
  const usage = usageFirestore(config);
  const size = async (name: string) => (await db.collection(name).where("uid", "==", uid).get()).size;
  const known = await db.collection("idempotencyKeys").get();
  return {
    customer: Number((await db.collection("customers").doc(uid).get()).exists),
    machineAccounts: (await db.collection("customers").doc(uid).collection("machineAccounts").get()).size,
    apiKeys: await size("apiKeys"),
    jobs: await size("jobs"),
    idempotencyKeys: known.docs.filter((document) => jobIds.includes(String(document.get("jobId")))).length,
    maps: await size("maps"),
    mapChanges: await size("mapChanges"),
    snapshots: Number((await db.collection("snapshots").doc(uid).get()).exists),
    keyUses: (await usage.collection(`customers/${uid}/keyUses`).get()).size,
    leasedBytes: (await usage.collection(`customers/${uid}/leasedBytes`).get()).size,
    files: (await openExports(config).list(`results/${uid}/`)).length,
    headcounts: await rows("realtime.headcounts", uid),
    tables: (await openCustomerTables(config).of(uid)).length,
    copiedHeadcounts: (await copied("realtime_customers", uid)) + (await copied("realtime_eu", uid)),
    monitoredRows: (await rows("realtime.monitored_maps", uid)) + (await rows("realtime.map_cells", uid)),
    datasets: await datasets(uid),
  };
}

function bigquery(): BigQuery {
  const { ready } = underTest();
  return new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
}

async function rows(table: string, uid: string): Promise<number> {
  const [found] = await bigquery().query({ query: `SELECT uid FROM \`${table}\` WHERE uid = @uid`, params: { uid } });
  return found.length;
}

/** Counts the rows of a customer's own table: none if there is no such table. */
async function copied(dataset: CustomerDataset, uid: string): Promise<number> {
  try {
    const location = dataset === "realtime_eu" ? "EU" : "europe-north1";
    return (await bigquery().query({ query: `SELECT uid FROM ${dataset}.headcounts_${uid}`, location }))[0].length;
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}

async function datasets(uid: string): Promise<number> {
  const [found] = await bigquery().getDatasets();
  return found.filter(({ id }) => id === `customer_${uid}` || id === `customer_${uid}_eu`).length;
}

/** Returns the newest versions of a customer's monitored maps in the warehouse. */
export async function newestMonitored(uid: string): Promise<unknown[]> {
  const query =
    "SELECT name, is_monitored FROM `realtime.monitored_maps` WHERE uid = @uid QUALIFY ROW_NUMBER() OVER (PARTITION BY map_id ORDER BY version DESC) = 1";
  return (await bigquery().query({ query, params: { uid } }))[0];
}

/** Returns the state of a job's export in the warehouse. */
export async function exportState(jobId: string): Promise<string> {
  const job = bigquery().job(`agg_${jobId}_1`, { location: "europe-north1" });
  return job.getMetadata().then(
    ([metadata]) => v.parse(Job, metadata).status.state,
    () => "never started",
  );
}

/** Adds a headcount as written by a refresh that started before its customer was deleted. */
export async function addHeadcount(uid: string, tick: Date): Promise<void> {
  const query =
    "INSERT INTO `realtime.headcounts` (tick, timestamp, uid, target_id, target_name, people_count, result) VALUES (@tick, @tick, @uid, 'gone', 'Gone', 7, 'SUCCESS')";
  await bigquery().query({ query, params: { uid, tick: BigQuery.timestamp(tick) } });
}
