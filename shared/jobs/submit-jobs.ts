import { createHash } from "node:crypto";
import type { DocumentReference, DocumentSnapshot, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { Customer, exportsOn } from "../accounts/customers.ts";
import { type Actor, assertHeld, keyRefs } from "../accounts/held-key.ts";
import { bytesLeft } from "../budgets/day-bytes.ts";
import { errorStatus, GRPC } from "../google/client-error.ts";
import { createOnce, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import { ServiceError } from "../http/errors.ts";
import { utcDate } from "../runtime/time.ts";
import { bytesOf, dayAfter } from "./job-bytes.ts";
import { countsAfter } from "./job-slots.ts";
import { type Job, jobOf, jobRef, readJob } from "./stored-job.ts";

const StoredIdempotencyKey = v.object({
  jobId: v.string(),
  requestHash: v.string(),
  expireAt: StoredTime,
});
type StoredIdempotencyKey = v.InferOutput<typeof StoredIdempotencyKey>;

/** The customer's idempotency key for a submission, and the hash of its request. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
  readonly expireAt: Date;
}

/**
 * The outcome of a submission. `mismatch`: its idempotency key was used with another request. `keyRefused`: its key was revoked or lost access
 * meanwhile. `customerDeleted`: there is no such customer. `tooMuchContention`: too many at once, nothing is written. `tooMany…`: it would
 * exceed a limit of its customer.
 */
export type Submission =
  | { readonly outcome: "created" | "repeated"; readonly job: Job }
  | { readonly outcome: "mismatch" }
  | { readonly outcome: "keyRefused"; readonly refusal: ServiceError }
  | { readonly outcome: "customerDeleted" }
  | { readonly outcome: "tooMuchContention" }
  | { readonly outcome: "tooManyJobs"; readonly limit: number }
  | { readonly outcome: "tooManyExports"; readonly limit: number }
  | { readonly outcome: "tooManyBytes"; readonly limit: number; readonly left: number; readonly asked: number };

/** A job to create. `make` returns it, always under the same id; `placed` is whether a slot is free. */
export interface JobDraft {
  readonly now: Date;
  readonly make: (placed: boolean) => Job;
  readonly idempotency: IdempotencyKey | undefined;
  /** Whose key is checked in the transaction that creates the job. */
  readonly actor: Actor;
  /** The bytes that count for the customer's day besides those of its jobs. */
  readonly leased: number;
}

/**
 * Creates a customer's jobs in order, with their idempotency records and the customer's counts, in one transaction, or finds the jobs of
 * existing records. Returns the outcome of each. Firestore's client tries five times, over some seconds; if each attempt is aborted,
 * nothing is written.
 */
export async function commitSubmissions(db: Firestore, uid: string, drafts: readonly JobDraft[]): Promise<readonly Submission[]> {
  // The transaction is atomic: the first job exists if all do.
  const firstOf = (made: readonly Submission[]) => made.flatMap((one) => (one.outcome === "created" ? jobRef(db, one.job.id) : []))[0];
  try {
    return await createOnce(db, firstOf, (transaction) => submitJobs(db, transaction, uid, drafts));
  } catch (error) {
    if (errorStatus(error) !== GRPC.aborted) throw error;
    return drafts.map(() => ({ outcome: "tooMuchContention" }));
  }
}

async function submitJobs(
  db: Firestore,
  transaction: Transaction,
  uid: string,
  drafts: readonly JobDraft[],
): Promise<readonly Submission[]> {
  const customerRef = db.collection("customers").doc(uid);
  const documents = await readAll(transaction, [
    customerRef,
    ...drafts.flatMap(({ actor }) => keyRefs(db, actor)),
    ...drafts.flatMap(({ idempotency }) => keyRefOf(db, uid, idempotency) ?? []),
  ]);
  const record = ({ idempotency, now }: JobDraft) => recordInForce(documents.get(keyRefOf(db, uid, idempotency)?.path ?? "")?.data(), now);
  const named = drafts.flatMap((draft) => record(draft)?.jobId ?? []);
  const jobs = await readAll(
    transaction,
    named.map((id) => jobRef(db, id)),
  );
  const stored = (id: string): Job | undefined => readJob(jobs.get(jobRef(db, id).path));

  const data = documents.get(customerRef.path)?.data();
  if (data === undefined) return drafts.map(() => ({ outcome: "customerDeleted" }));
  const before = v.parse(Customer, data);
  let customer = before;
  /** Created in this transaction: jobs by id, records by idempotency key. */
  const made = new Map<string, Job>();
  const keys = new Map<string, StoredIdempotencyKey>();
  const create = ({ id, ...fields }: Job, idempotency: IdempotencyKey | undefined): void => {
    transaction.create(jobRef(db, id), fields);
    const keyRef = keyRefOf(db, uid, idempotency);
    if (!keyRef || !idempotency) return;
    const { key, requestHash, expireAt } = idempotency;
    transaction.set(keyRef, { jobId: id, requestHash, expireAt });
    keys.set(key, { jobId: id, requestHash, expireAt });
  };
  const submit = (draft: JobDraft): Submission => {
    const { now, make, idempotency, actor, leased } = draft;
    const refusal = refusalOf(actor, documents.get(keyRefs(db, actor)[0]?.path ?? ""));
    if (refusal) return { outcome: "keyRefused", refusal };
    const repeated = repetition(idempotency, keys.get(idempotency?.key ?? "") ?? record(draft), (id) => made.get(id) ?? stored(id));
    if (repeated) return repeated;
    const { limits } = customer;
    if (customer.running + customer.waiting >= limits.unfinishedJobs) return { outcome: "tooManyJobs", limit: limits.unfinishedJobs };
    const job = make(customer.running < limits.runningJobs && customer.waiting === 0);
    const same = made.get(job.id);
    if (same) return { outcome: "repeated", job: same };
    const counted = withJob(customer, job, now, leased);
    if ("outcome" in counted) return counted;
    customer = counted;
    create(job, idempotency);
    made.set(job.id, job);
    return { outcome: "created", job };
  };
  const submissions = drafts.map(submit);
  const { running, waiting, exportsToday, bytesToday } = customer;
  if (customer !== before)
    transaction.update(customerRef, { running, waiting, ...(exportsToday ? { exportsToday } : {}), ...(bytesToday ? { bytesToday } : {}) });
  return submissions;
}

/** Returns why a draft's key is refused now. Others of the same transaction may have another key. */
function refusalOf(actor: Actor, document: DocumentSnapshot | undefined): ServiceError | undefined {
  try {
    if (actor !== "service") assertHeld(actor, document);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Reads each document once and returns them by path. */
async function readAll(transaction: Transaction, refs: readonly DocumentReference[]): Promise<Map<string, DocumentSnapshot>> {
  const distinct = [...new Map(refs.map((ref) => [ref.path, ref])).values()];
  const documents = distinct.length > 0 ? await transaction.getAll(...distinct) : [];
  return new Map(documents.map((document) => [document.ref.path, document]));
}

/** Returns a customer with a new job in its counts, or the limit of its day that the job would exceed. */
function withJob(customer: Customer, job: Job, now: Date, leased: number): Customer | Submission {
  const { exportsPerDay, bytesPerDay } = customer.limits;
  const exportsToday = exportsWith(customer, job, now);
  if (exportsToday && exportsToday.count > exportsPerDay) return { outcome: "tooManyExports", limit: exportsPerDay };
  const bytesToday = dayAfter(customer.bytesToday, undefined, job);
  const left = bytesLeft(customer, leased, now);
  if (bytesOf(job) > left) return { outcome: "tooManyBytes", limit: bytesPerDay, left, asked: bytesOf(job) };
  return {
    ...customer,
    ...countsAfter(customer, undefined, job),
    ...(exportsToday ? { exportsToday } : {}),
    ...(bytesToday ? { bytesToday } : {}),
  };
}

/** Returns the customer's exports of the UTC day, plus this one. Undefined for a job that exports nothing. */
function exportsWith({ exportsToday }: Customer, { request }: Job, now: Date): Customer["exportsToday"] {
  if (!request.full) return undefined;
  return { date: utcDate(now), count: exportsOn({ exportsToday }, now) + 1 };
}

function recordInForce(data: unknown, now: Date): StoredIdempotencyKey | undefined {
  if (data === undefined) return undefined;
  const record = v.parse(StoredIdempotencyKey, data);
  return record.expireAt > now ? record : undefined;
}

/** Returns the outcome of an earlier submission from its idempotency record. Undefined without a record, or when its job is deleted. */
function repetition(
  idempotency: IdempotencyKey | undefined,
  record: StoredIdempotencyKey | undefined,
  stored: (jobId: string) => Job | undefined,
): Submission | undefined {
  if (!idempotency || !record) return undefined;
  if (record.requestHash !== idempotency.requestHash) return { outcome: "mismatch" };
  const job = stored(record.jobId);
  return job && { outcome: "repeated", job };
}

/** Finds the outcome of an earlier submission with this key, without a transaction and before other services are called. */
export async function findSubmission(db: Firestore, uid: string, now: Date, idempotency: IdempotencyKey): Promise<Submission | undefined> {
  const record = recordInForce(await readDocument(db.collection("idempotencyKeys").doc(idempotencyId(uid, idempotency.key))), now);
  const job = record && jobOf(record.jobId, await readDocument(jobRef(db, record.jobId)));
  return repetition(idempotency, record, () => job);
}

function keyRefOf(db: Firestore, uid: string, idempotency: IdempotencyKey | undefined): DocumentReference | undefined {
  return idempotency && db.collection("idempotencyKeys").doc(idempotencyId(uid, idempotency.key));
}

function idempotencyId(uid: string, key: string): string {
  return createHash("sha256").update(`${uid}\n${key}`).digest("hex");
}
