import { createHash } from "node:crypto";
import type { DocumentSnapshot, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { countsAfter } from "../domain/places.ts";
import { Customer } from "./customers.ts";
import { StoredTime } from "./firestore.ts";
import { type Job, jobRef, readJob } from "./stored-job.ts";

const StoredIdempotencyKey = v.object({
  jobId: v.string(),
  requestHash: v.string(),
  expireAt: StoredTime,
});

/** The customer's own name for a submission, and what it stands for. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
  readonly expireAt: Date;
}

export type Submission =
  | { readonly outcome: "created" | "repeated"; readonly job: Job }
  | { readonly outcome: "mismatch" }
  | { readonly outcome: "too-many"; readonly limit: number }
  | { readonly outcome: "too-many-exports"; readonly limit: number };

interface Submit {
  readonly uid: string;
  readonly now: Date;
  readonly make: (placed: boolean) => Job;
  readonly idempotency: IdempotencyKey | undefined;
}

/** Creates a job, its idempotency record and the customer's counts in one transaction, or finds the job that the record stands for. */
export async function submitJob(db: Firestore, transaction: Transaction, { uid, now, make, idempotency }: Submit): Promise<Submission> {
  const customerRef = db.collection("customers").doc(uid);
  const keyRef = idempotency && db.collection("idempotencyKeys").doc(idempotencyId(uid, idempotency.key));
  const [customerSnapshot, keySnapshot] = await transaction.getAll(customerRef, ...(keyRef ? [keyRef] : []));
  const repeated = await repeatedSubmission(keySnapshot, idempotency, now, (id) => transaction.get(jobRef(db, id)));
  if (repeated) return repeated;
  const customer = v.parse(Customer, customerSnapshot?.data());
  if (customer.running + customer.waiting >= customer.limits.unfinishedJobs)
    return { outcome: "too-many", limit: customer.limits.unfinishedJobs };
  const job = make(customer.running < customer.limits.runningJobs && customer.waiting === 0);
  const exportsToday = exportsWith(customer, job, now);
  if (exportsToday && exportsToday.count > customer.limits.exportsPerDay)
    return { outcome: "too-many-exports", limit: customer.limits.exportsPerDay };
  const { id, ...fields } = job;
  transaction.create(jobRef(db, id), fields);
  transaction.update(customerRef, { ...countsAfter(customer, undefined, job), ...(exportsToday ? { exportsToday } : {}) });
  if (keyRef && idempotency) {
    const { requestHash, expireAt } = idempotency;
    transaction.set(keyRef, { jobId: id, requestHash, expireAt });
  }
  return { outcome: "created", job };
}

/** The exports of a customer's UTC day with one more; undefined for a job that exports nothing. */
function exportsWith({ exportsToday }: Customer, { request }: Job, now: Date): Customer["exportsToday"] {
  if (!request.full) return undefined;
  const date = now.toISOString().slice(0, 10);
  return { date, count: exportsToday?.date === date ? exportsToday.count + 1 : 1 };
}

/** The submission that an idempotency record stands for; undefined when there is none in force. */
async function repeatedSubmission(
  record: DocumentSnapshot | undefined,
  idempotency: IdempotencyKey | undefined,
  now: Date,
  get: (jobId: string) => Promise<DocumentSnapshot>,
): Promise<Submission | undefined> {
  if (!idempotency || !record?.exists) return undefined;
  const known = v.parse(StoredIdempotencyKey, record.data());
  if (known.expireAt <= now) return undefined;
  if (known.requestHash !== idempotency.requestHash) return { outcome: "mismatch" };
  const job = readJob(await get(known.jobId));
  return job && { outcome: "repeated", job };
}

/** The same without a transaction: whether a submission is a repetition, before anything is asked of others for it. */
export async function findSubmission(db: Firestore, uid: string, now: Date, idempotency: IdempotencyKey): Promise<Submission | undefined> {
  const record = await db.collection("idempotencyKeys").doc(idempotencyId(uid, idempotency.key)).get();
  return repeatedSubmission(record, idempotency, now, (id) => jobRef(db, id).get());
}

function idempotencyId(uid: string, key: string): string {
  return createHash("sha256").update(`${uid}\n${key}`).digest("hex");
}
