import { setTimeout as delay } from "node:timers/promises";
import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { followMeasurements, type IsMeasured } from "./measurements.ts";
import type { Sender } from "./sender.ts";
import type { Target } from "./target.ts";

const Jobs = v.object({ jobs: v.array(v.object({ status: v.string() })) });
const SETTLE_MS_MAX = 120_000;
const POLL_MS = 20;

/** Waits until nothing is under way that accepted requests of a sender have begun, because that changes documents. Throws after a timeout. */
export type Settle = (sender: Sender) => Promise<void>;

/** Returns a function that waits for senders. It reads the main database to know what is under way. */
export function openSettle(target: Target, db: Firestore): Settle {
  const isMeasured = followMeasurements(target);
  return async (sender) => {
    const until = Date.now() + SETTLE_MS_MAX;
    for (;;) {
      const open = [...(await unfinishedJobs(target, sender)), ...(await changesUnderWay(db, sender.customer.uid, isMeasured))];
      if (open.length === 0) return;
      if (Date.now() > until) throw new Error(`${sender.customer.uid}: ${open.join(", ")} does not end`);
      await delay(POLL_MS);
    }
  };
}

/** Returns the states in which a sender has jobs that are not over. Jobs that never get a slot change nothing. */
async function unfinishedJobs({ ready }: Target, { customer }: Sender): Promise<string[]> {
  if (customer.isWaiting) return [];
  const open: string[] = [];
  // In this order: a job that is queued no more is found running.
  for (const status of ["queued", "running"]) {
    const url = `${ready.data_base_url}/data-agg/jobs?limit=1&status=${status}`;
    const answer: unknown = await (await fetch(url, { headers: { "x-api-key": customer.key } })).json();
    const page = v.safeParse(Jobs, answer);
    // Too many concurrent requests: retry.
    if (!page.success || page.output.jobs.length > 0) open.push(`a ${status} job`);
  }
  return open;
}

const Version = v.object({ version: v.number() });
const Requested = v.object({ personalDataset: v.nullable(v.string()), personalDatasetRequestedAt: v.nullable(v.unknown()) });

/**
 * Returns what a customer's documents say is under way besides jobs: changes of monitoring on their way to the warehouse, maps whose present
 * version is being measured at once (a measurement of an earlier version writes nothing), and a personal dataset that is being created.
 */
async function changesUnderWay(db: Firestore, uid: string, isMeasured: IsMeasured): Promise<string[]> {
  const [changes, maps, customer] = await Promise.all([
    db.collection("mapChanges").where("uid", "==", uid).get(),
    db.collection("maps").where("uid", "==", uid).where("isMonitored", "==", true).get(),
    db.collection("customers").doc(uid).get(),
  ]);
  const open = changes.docs.map(({ id }) => `the delivery of map ${id}`);
  for (const map of maps.docs) {
    const { version } = v.parse(Version, map.data());
    if (!(await isMeasured(map.id, version))) open.push(`the measurement of map ${map.id}, version ${version}`);
  }
  const { personalDataset, personalDatasetRequestedAt } = v.parse(Requested, customer.data());
  return personalDatasetRequestedAt !== null && personalDataset === null ? [...open, "the personal dataset"] : open;
}
