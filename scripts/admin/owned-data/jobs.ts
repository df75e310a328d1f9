import type { Firestore, QueryDocumentSnapshot } from "@google-cloud/firestore";
import * as v from "valibot";
import { warehouseJobIds } from "../../../shared/aggregation/warehouse-job-ids.ts";
import { openWarehouse, type Warehouse } from "../../../shared/google/bigquery.ts";
import { statement } from "../../../shared/google/statement.ts";
import { cancel } from "../../../shared/jobs/job-state.ts";
import { openJobs } from "../../../shared/jobs/jobs.ts";
import type { Session } from "../session.ts";

/** Documents per batch. Firestore's `in` takes at most 30 values. */
const PAGE = 300;
const IN_MAX = 30;
/** Maximum wait for a cancelled warehouse job to stop. */
const WAIT_MS = 60_000;

/** A statement that fails immediately: it occupies the id of a warehouse job that must never run. */
const NEVER = statement(v.unknown(), "SELECT CAST(@no_number AS INT64)", { no_number: { type: "STRING", value: "the customer is gone" } });

/** Cancels a customer's unfinished jobs, stops their warehouse jobs, and removes all its jobs. Returns how many it removed. */
export async function removeJobs(session: Session, uid: string): Promise<number> {
  const { db, config } = session;
  const jobs = db.collection("jobs").where("uid", "==", uid);
  await cancelJobs(session, uid);
  const warehouse = openWarehouse(config);
  const { docs: unsettled } = await jobs.where("leftovers", "==", true).select("attempt", "request.full").get();
  for (const document of unsettled) await stop(document, uid, warehouse);
  let removed = 0;
  for (;;) {
    const { docs } = await jobs.select().limit(PAGE).get();
    if (docs.length === 0) return removed;
    await removeIdempotencyKeys(db, docs);
    await remove(db, docs);
    removed += docs.length;
  }
}

/** Cancels unfinished jobs, so that no delivery starts to work on them. */
async function cancelJobs({ config, note, now }: Session, uid: string): Promise<void> {
  const jobs = openJobs(config, (_severity, message) => note(message));
  for (const status of ["queued", "running"] as const) {
    let page = await jobs.list(uid, { status, limit: PAGE });
    for (;;) {
      for (const job of page.jobs) await jobs.transition(job, (current) => cancel(current, now()), now());
      if (!page.next) break;
      page = await jobs.list(uid, { status, limit: PAGE, after: page.next });
    }
  }
}

const Unsettled = v.object({ attempt: v.number(), request: v.object({ full: v.boolean() }) });

/**
 * Stops the warehouse jobs of a started job and waits until they end. A running delivery may be about to start one: the id derives from job
 * and attempt, so a failing statement takes the id first.
 */
async function stop(document: QueryDocumentSnapshot, uid: string, warehouse: Warehouse): Promise<void> {
  const { attempt, request } = v.parse(Unsettled, document.data());
  for (let tried = 1; tried <= attempt; tried++)
    for (const id of Object.values(warehouseJobIds({ id: document.id, attempt: tried }))) {
      if (request.full && tried === attempt) await warehouse.start(id, NEVER, { customer: uid, purpose: "customer-removal" });
      await warehouse.cancel(id);
      if (!request.full || tried < attempt) continue;
      const { state } = await warehouse.wait(id, NEVER, WAIT_MS);
      if (state === "running") throw new Error(`The warehouse job ${id} is still running; try again in a minute`);
    }
}

/** Removes the idempotency keys of jobs. They are stored as hashes, so the query is by job id. */
async function removeIdempotencyKeys(db: Firestore, jobs: readonly QueryDocumentSnapshot[]): Promise<void> {
  for (let first = 0; first < jobs.length; first += IN_MAX) {
    const ids = jobs.slice(first, first + IN_MAX).map(({ id }) => id);
    const { docs } = await db.collection("idempotencyKeys").where("jobId", "in", ids).select().get();
    await remove(db, docs);
  }
}

async function remove(db: Firestore, documents: readonly QueryDocumentSnapshot[]): Promise<void> {
  if (documents.length === 0) return;
  const batch = db.batch();
  for (const { ref } of documents) batch.delete(ref);
  await batch.commit();
}
