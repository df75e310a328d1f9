import { createHash } from "node:crypto";
import type { DocumentReference, Firestore, Query, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import type { Config } from "../config.ts";
import { type JobState, takePlace } from "../domain/job-state.ts";
import { JobFields } from "../schemas/job.ts";
import { Customer } from "./customers.ts";
import { firestore, StoredTime } from "./firestore.ts";

const StoredJob = v.object({
  ...JobFields,
  progress: v.number(),
  attempt: v.number(),
  step: v.number(),
  placed: v.boolean(),
  dispatch: v.boolean(),
  createdAt: StoredTime,
  startedAt: v.nullable(StoredTime),
  finishedAt: v.nullable(StoredTime),
  touchedAt: StoredTime,
  deadlineAt: StoredTime,
  expireAt: v.nullable(StoredTime),
  error: v.nullable(v.string()),
});

/** A job: its life, whose it is, what was asked, and its result once it is completed. The id is the document's name. */
export type Job = JobState & Omit<v.InferOutput<typeof StoredJob>, keyof JobState> & { readonly id: string };

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

type Submission =
  | { readonly outcome: "created" | "repeated"; readonly job: Job }
  | { readonly outcome: "mismatch" }
  | { readonly outcome: "too-many"; readonly limit: number };

export interface JobStore {
  /** Creates the job that `make` gives (told whether there is a free place), its idempotency record and the customer's counts, all or nothing. */
  readonly submit: (uid: string, now: Date, make: (placed: boolean) => Job, idempotency?: IdempotencyKey) => Promise<Submission>;
  readonly get: (id: string) => Promise<Job | undefined>;
  /** Changes a job that stays in work. `change` gives undefined to leave it as it is; then so does this. */
  readonly move: (id: string, change: (job: Job) => Job | undefined) => Promise<Job | undefined>;
  /** Ends a job and hands its place to the customer's oldest waiting one, which is owed a delivery and given as `next`. */
  readonly end: (
    job: Pick<Job, "id" | "uid">,
    change: (job: Job) => Job | undefined,
    now: Date,
  ) => Promise<{ readonly ended: Job; readonly next: Job | undefined } | undefined>;
  /** Gives a free place of a customer to its oldest waiting job, which is owed a delivery. */
  readonly place: (uid: string, now: Date) => Promise<Job | undefined>;
  /** Unfinished jobs that nobody has touched since a time, the longest untouched first. */
  readonly unfinished: (untouchedSince: Date, limit: number) => Promise<Job[]>;
  /** Completed jobs whose results are past their retention. */
  readonly expired: (now: Date, limit: number) => Promise<Job[]>;
}

/** The jobs in Firestore: `jobs/{id}`, with the counts in `customers/{uid}` and `idempotencyKeys`. */
export function openJobs(config: Config): JobStore {
  const db = firestore(config);
  return {
    submit: (uid, now, make, idempotency) => db.runTransaction((transaction) => submit(db, transaction, { uid, now, make, idempotency })),
    get: async (id) => parse(id, (await jobRef(db, id).get()).data()),
    move: (id, change) =>
      db.runTransaction(async (transaction) => {
        const ref = jobRef(db, id);
        const job = parse(id, (await transaction.get(ref)).data());
        const changed = job && change(job);
        if (changed) write(transaction, ref, changed);
        return changed;
      }),
    end: (job, change, now) => db.runTransaction((transaction) => end(db, transaction, job, change, now)),
    place: (uid, now) => db.runTransaction((transaction) => place(db, transaction, uid, now)),
    unfinished: (untouchedSince, limit) =>
      list(
        db
          .collection("jobs")
          .where("status", "in", ["queued", "running"])
          .where("touchedAt", "<=", untouchedSince)
          .orderBy("touchedAt")
          .limit(limit),
      ),
    expired: (now, limit) =>
      list(db.collection("jobs").where("status", "==", "completed").where("expireAt", "<=", now).orderBy("expireAt").limit(limit)),
  };
}

interface Submit {
  readonly uid: string;
  readonly now: Date;
  readonly make: (placed: boolean) => Job;
  readonly idempotency: IdempotencyKey | undefined;
}

async function submit(db: Firestore, transaction: Transaction, { uid, now, make, idempotency }: Submit): Promise<Submission> {
  const customerRef = db.collection("customers").doc(uid);
  const keyRef = idempotency && db.collection("idempotencyKeys").doc(idempotencyId(uid, idempotency.key));
  const [customerSnapshot, keySnapshot] = await transaction.getAll(customerRef, ...(keyRef ? [keyRef] : []));
  if (idempotency && keySnapshot?.exists) {
    const known = v.parse(StoredIdempotencyKey, keySnapshot.data());
    if (known.expireAt > now) {
      if (known.requestHash !== idempotency.requestHash) return { outcome: "mismatch" };
      const job = parse(known.jobId, (await transaction.get(jobRef(db, known.jobId))).data());
      if (job) return { outcome: "repeated", job };
    }
  }
  const customer = v.parse(Customer, customerSnapshot?.data());
  if (customer.running + customer.waiting >= customer.limits.unfinishedJobs)
    return { outcome: "too-many", limit: customer.limits.unfinishedJobs };
  const placed = customer.running < customer.limits.runningJobs && customer.waiting === 0;
  const job = make(placed);
  const { id, ...fields } = job;
  transaction.create(jobRef(db, id), fields);
  transaction.update(customerRef, placed ? { running: customer.running + 1 } : { waiting: customer.waiting + 1 });
  if (keyRef && idempotency) {
    const { requestHash, expireAt } = idempotency;
    transaction.set(keyRef, { jobId: id, requestHash, expireAt });
  }
  return { outcome: "created", job };
}

async function end(
  db: Firestore,
  transaction: Transaction,
  { id, uid }: Pick<Job, "id" | "uid">,
  change: (job: Job) => Job | undefined,
  now: Date,
) {
  const ref = jobRef(db, id);
  const customerRef = db.collection("customers").doc(uid);
  const [jobSnapshot, customerSnapshot] = await transaction.getAll(ref, customerRef);
  const job = parse(id, jobSnapshot?.data());
  const ended = job && change(job);
  if (!job || !ended) return undefined;
  const customer = v.parse(Customer, customerSnapshot?.data());
  const waiting = job.placed && customer.waiting > 0 ? await oldestWaiting(db, transaction, uid) : undefined;
  const next = waiting && takePlace(waiting, now);
  write(transaction, ref, ended);
  if (next) write(transaction, jobRef(db, next.id), next);
  transaction.update(customerRef, {
    running: customer.running - (job.placed ? 1 : 0) + (next ? 1 : 0),
    waiting: customer.waiting - (job.placed ? 0 : 1) - (next ? 1 : 0),
  });
  return { ended, next };
}

async function place(db: Firestore, transaction: Transaction, uid: string, now: Date): Promise<Job | undefined> {
  const customerRef = db.collection("customers").doc(uid);
  const customer = v.parse(Customer, (await transaction.get(customerRef)).data());
  if (customer.running >= customer.limits.runningJobs) return undefined;
  const waiting = await oldestWaiting(db, transaction, uid);
  const placed = waiting && takePlace(waiting, now);
  if (!placed) return undefined;
  write(transaction, jobRef(db, placed.id), placed);
  transaction.update(customerRef, { running: customer.running + 1, waiting: customer.waiting - 1 });
  return placed;
}

async function list(query: Query): Promise<Job[]> {
  const { docs } = await query.get();
  return docs.flatMap((document) => parse(document.id, document.data()) ?? []);
}

async function oldestWaiting(db: Firestore, transaction: Transaction, uid: string): Promise<Job | undefined> {
  const waiting = db.collection("jobs").where("uid", "==", uid).where("status", "==", "queued").where("placed", "==", false);
  const [first] = (await transaction.get(waiting.orderBy("createdAt").limit(1))).docs;
  return first && parse(first.id, first.data());
}

function jobRef(db: Firestore, id: string): DocumentReference {
  return db.collection("jobs").doc(id);
}

function parse(id: string, data: unknown): Job | undefined {
  return data === undefined ? undefined : { ...v.parse(StoredJob, data), id };
}

/** The request never changes, so a move does not send it again. */
function write(transaction: Transaction, ref: DocumentReference, job: Job): void {
  const { request: _request, uid: _uid, keyLabel: _keyLabel, createdAt: _createdAt, ...changing } = job;
  transaction.update(ref, withoutId(changing));
}

function withoutId<T extends object>(job: T): object {
  return Object.fromEntries(Object.entries(job).filter(([name]) => name !== "id"));
}

function idempotencyId(uid: string, key: string): string {
  return createHash("sha256").update(`${uid}\n${key}`).digest("hex");
}
