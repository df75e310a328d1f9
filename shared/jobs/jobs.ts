import { type DocumentSnapshot, FieldPath, type Firestore, type Query, Timestamp, type Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { Customer } from "../accounts/customers.ts";
import { type Actor, getAllAs } from "../accounts/held-key.ts";
import { firestore, firestoreReader, StoredTime } from "../google/firestore.ts";
import { readDocument } from "../google/read-document.ts";
import type { ListCursor } from "../http/list-cursor.ts";
import type { Config } from "../runtime/config.ts";
import { type Log, processLog } from "../runtime/log.ts";
import { dayAfter } from "./job-bytes.ts";
import { countsAfter, freeSlots } from "./job-slots.ts";
import { takeSlot } from "./job-state.ts";
import { newestOf, withAnyOf } from "./newest-documents.ts";
import { type Job, jobOf, jobRef, LISTED_FIELDS, readJob, readJobs, writeJob } from "./stored-job.ts";
import { createSubmissionQueue } from "./submission-queue.ts";
import { commitSubmissions, findSubmission, type IdempotencyKey, type JobDraft, type Submission } from "./submit-jobs.ts";

export type { Job } from "./stored-job.ts";
export type { IdempotencyKey } from "./submit-jobs.ts";

/** A job after a transition, and the waiting jobs that took its slot. Each of these needs a delivery. */
export interface Transition {
  readonly job: Job;
  readonly promoted: readonly Job[];
}

/** Which of a customer's jobs, and how many. An omitted filter matches all. */
interface JobPage {
  readonly status?: Job["status"] | undefined;
  readonly product?: string | undefined;
  /** Jobs of other countries are left out, as if they did not exist. At most 30 countries, Firestore's limit of a disjunction. */
  readonly countries?: readonly string[];
  readonly limit: number;
  readonly after?: ListCursor | undefined;
}

/** A job to submit, with what differs from the defaults. */
type NewJobDraft = Pick<JobDraft, "now" | "make"> & Partial<JobDraft>;

/** Stores jobs. Lists skip documents that cannot be read as jobs and log an ERROR for each. */
export interface JobStore {
  /**
   * Creates a job, its idempotency record and the customer's counts, atomically. A customer's submissions run one after the other; concurrent
   * ones share transactions. By default the service itself submits, without an idempotency key.
   */
  readonly submit: (uid: string, draft: NewJobDraft) => Promise<Submission>;
  /** Returns the outcome of an earlier submission with the same idempotency key. Undefined when there is none. */
  readonly find: (uid: string, now: Date, idempotency: IdempotencyKey) => Promise<Submission | undefined>;
  readonly get: (id: string) => Promise<Job | undefined>;
  /** Returns a page of a customer's jobs after the cursor `after`, newest first. `next` is the cursor of the next page, if there is one. */
  readonly list: (uid: string, page: JobPage) => Promise<{ readonly jobs: readonly Job[]; readonly next: ListCursor | undefined }>;
  /** Changes a job without ending it or moving its slot. When `change` returns undefined, the job stays as it is and so does this. */
  readonly update: (id: string, change: (job: Job) => Job | undefined) => Promise<Job | undefined>;
  /**
   * Changes a job in a way that may end it. Its slot then goes to the customer's oldest waiting job, in the same transaction. A deleted
   * customer has neither counts nor slots: then only the job changes. Undefined when `change` returns undefined. Throws if the actor's key
   * was revoked or lost access meanwhile.
   */
  readonly transition: (
    job: Pick<Job, "id" | "uid">,
    change: (job: Job) => Job | undefined,
    now: Date,
    actor?: Actor,
  ) => Promise<Transition | undefined>;
  /** Gives a customer's free slots to its oldest waiting jobs, and returns these. */
  readonly assignSlots: (uid: string, now: Date) => Promise<readonly Job[]>;
  /** Returns the uids of customers with a free slot and jobs that wait for one. */
  readonly customersWithFreeSlots: () => Promise<readonly string[]>;
  /** Returns jobs with a slot that were last touched at `since` or before, the longest untouched first. */
  readonly untouched: (since: Date, limit: number) => Promise<readonly Job[]>;
  /** Returns jobs with a slot past their deadline. */
  readonly overdue: (now: Date, limit: number) => Promise<readonly Job[]>;
  /** Returns jobs with leftovers that were last touched at `since` or before. */
  readonly needingCleanUp: (since: Date, limit: number) => Promise<readonly Job[]>;
  /** Returns completed jobs whose results are past their retention. */
  readonly expired: (now: Date, limit: number) => Promise<readonly Job[]>;
}

/** How many slots one transaction fills at most, far below Firestore's limit of writes. */
const SLOTS_PER_TRANSACTION_MAX = 100;

/** Reads jobs. */
export type JobReader = Pick<JobStore, "get" | "list">;

/** Opens the jobs to read them. */
export function openJobReader(config: Config, log: Log = processLog): JobReader {
  const jobs = firestoreReader(config).collection("jobs");
  return {
    get: async (id) => jobOf(id, await readDocument(jobs.doc(id))),
    list: async (uid, { status, product, countries, limit, after }) => {
      const all = jobs.where("uid", "==", uid);
      const ordered = (mine: Query): Query => {
        const standing = status ? mine.where("status", "==", status) : mine;
        const filtered = product ? standing.where("request.agg_type", "==", product) : standing;
        const newest = filtered
          .orderBy("createdAt", "desc")
          .orderBy(FieldPath.documentId(), "desc")
          .select(...LISTED_FIELDS);
        return after ? newest.startAfter(Timestamp.fromDate(after.createdAt), after.id) : newest;
      };
      // One document beyond the page shows whether a next page exists. It need not be readable.
      const docs = await newestOf((countries ? withAnyOf(all, "request.country_code", countries) : [all]).map(ordered), limit + 1);
      const last = docs.length > limit ? docs[limit - 1] : undefined;
      const next = last && { createdAt: v.parse(StoredTime, last.get("createdAt")), id: last.id };
      return { jobs: readJobs(docs.slice(0, limit), log), next };
    },
  };
}

/** Opens the jobs in Firestore: `jobs/{id}`, with the counts in `customers/{uid}` and the records in `idempotencyKeys`. */
export function openJobs(config: Config, log: Log = processLog): JobStore {
  const db = firestore(config);
  const jobs = db.collection("jobs");
  const list = async (query: Query, limit: number) =>
    readJobs(
      (
        await query
          .select(...LISTED_FIELDS)
          .limit(limit)
          .get()
      ).docs,
      log,
    );
  const find: JobStore["find"] = (uid, now, idempotency) => findSubmission(db, uid, now, idempotency);
  const enqueueSubmission = createSubmissionQueue({ store: (uid, drafts) => commitSubmissions(db, uid, drafts), find });
  return {
    submit: (uid, draft) => enqueueSubmission(uid, { idempotency: undefined, actor: "service", leased: 0, ...draft }),
    find,
    ...openJobReader(config, log),
    update: (id, change) =>
      db.runTransaction(async (transaction) => {
        const job = readJob(await transaction.get(jobRef(db, id)));
        const changed = job && change(job);
        if (changed) writeJob(db, transaction, changed);
        return changed;
      }),
    transition: (job, change, now, actor = "service") =>
      db.runTransaction((transaction) => transition({ db, transaction, now, log }, job, change, actor)),
    assignSlots: (uid, now) => db.runTransaction((transaction) => assignSlots({ db, transaction, now, log }, uid)),
    // No limit: operators create customers by hand, so there are hundreds at most. A limit would need an order and starve the last ones.
    customersWithFreeSlots: async () => {
      const { docs } = await db.collection("customers").where("waiting", ">", 0).get();
      return docs.filter((document) => hasFreeSlot(document, log)).map(({ id }) => id);
    },
    untouched: (since, limit) => list(jobs.where("placed", "==", true).where("touchedAt", "<=", since).orderBy("touchedAt"), limit),
    overdue: (now, limit) => list(jobs.where("placed", "==", true).where("deadlineAt", "<=", now).orderBy("deadlineAt"), limit),
    needingCleanUp: (since, limit) => list(jobs.where("leftovers", "==", true).where("touchedAt", "<=", since).orderBy("touchedAt"), limit),
    expired: (now, limit) => list(jobs.where("status", "==", "completed").where("expireAt", "<=", now).orderBy("expireAt"), limit),
  };
}

interface Work {
  readonly db: Firestore;
  readonly transaction: Transaction;
  readonly now: Date;
  readonly log: Log;
}

async function transition(
  work: Work,
  { id, uid }: Pick<Job, "id" | "uid">,
  change: (job: Job) => Job | undefined,
  actor: Actor,
): Promise<Transition | undefined> {
  const { db, transaction } = work;
  const customerRef = db.collection("customers").doc(uid);
  const [document, customerDocument] = await getAllAs(db, transaction, actor, jobRef(db, id), customerRef);
  const before = readJob(document);
  const job = before && change(before);
  if (!before || !job) return undefined;
  if (!customerDocument?.exists) {
    writeJob(db, transaction, job);
    return { job, promoted: [] };
  }
  const customer = v.parse(Customer, customerDocument.data());
  const left = { ...customer, ...countsAfter(customer, before, job) };
  const bytesToday = dayAfter(customer.bytesToday, before, job);
  const promoted = before.placed && !job.placed ? await nextWaiting(work, uid, left) : [];
  for (const changed of [job, ...promoted]) writeJob(db, transaction, changed);
  transaction.update(customerRef, { ...countsWith(left, promoted), ...(bytesToday ? { bytesToday } : {}) });
  return { job, promoted };
}

async function assignSlots(work: Work, uid: string): Promise<readonly Job[]> {
  const { db, transaction } = work;
  const customerRef = db.collection("customers").doc(uid);
  const document = await transaction.get(customerRef);
  if (!document.exists) return [];
  const customer = v.parse(Customer, document.data());
  const next = await nextWaiting(work, uid, customer);
  for (const job of next) writeJob(db, transaction, job);
  if (next.length > 0) transaction.update(customerRef, { ...countsWith(customer, next) });
  return next;
}

/** Returns the waiting jobs that get the customer's free slots, the oldest first, already in their slots. */
async function nextWaiting({ db, transaction, now, log }: Work, uid: string, customer: Customer): Promise<Job[]> {
  const wanted = Math.min(SLOTS_PER_TRANSACTION_MAX, freeSlots(customer, customer.limits.runningJobs));
  const line = db
    .collection("jobs")
    .where("uid", "==", uid)
    .where("status", "==", "queued")
    .where("placed", "==", false)
    .orderBy("createdAt")
    .select(...LISTED_FIELDS);
  const found: Job[] = [];
  let last: DocumentSnapshot | undefined;
  while (found.length < wanted) {
    const page = (last ? line.startAfter(last) : line).limit(wanted - found.length);
    const { docs } = await transaction.get(page);
    if (docs.length === 0) break;
    found.push(...readJobs(docs, log).flatMap((job) => takeSlot(job, now) ?? []));
    last = docs.at(-1);
  }
  return found;
}

function countsWith({ running, waiting }: Customer, placed: readonly Job[]) {
  return { running: running + placed.length, waiting: waiting - placed.length };
}

function hasFreeSlot(document: DocumentSnapshot, log: Log): boolean {
  const customer = v.safeParse(Customer, document.data());
  if (customer.success) return freeSlots(customer.output, customer.output.limits.runningJobs) > 0;
  log("ERROR", "A stored customer cannot be read and is skipped", { uid: document.id });
  return false;
}
