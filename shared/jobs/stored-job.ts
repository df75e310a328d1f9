import type { DocumentReference, DocumentSnapshot, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { StoredTime } from "../google/firestore.ts";
import { type StoredRequest, StoredRequestFields } from "../products/request-fields.ts";
import type { Log } from "../runtime/log.ts";
import { JobResult } from "./job-result.ts";
import { JOB_STATUSES, type JobState } from "./job-state.ts";

/** `jobs/{id}`. */
export const StoredJob = v.object({
  uid: v.string(),
  keyLabel: v.string(),
  status: v.picklist(JOB_STATUSES),
  request: StoredRequestFields,
  result: v.nullable(JobResult),
  progress: v.number(),
  attempt: v.number(),
  step: v.number(),
  placed: v.boolean(),
  dispatch: v.boolean(),
  /** Jobs stored before this field existed have none. */
  resends: v.optional(v.number(), 0),
  leftovers: v.boolean(),
  createdAt: StoredTime,
  startedAt: v.nullable(StoredTime),
  finishedAt: v.nullable(StoredTime),
  touchedAt: StoredTime,
  deadlineAt: v.nullable(StoredTime),
  expireAt: v.nullable(StoredTime),
  error: v.nullable(v.string()),
  /** The span that submitted the job: its deliveries belong to that trace. */
  traceparent: v.exactOptional(v.string()),
  /** Jobs stored before this field existed have none. */
  bytes: v.optional(v.nullable(v.object({ date: v.string(), reserved: v.number(), billed: v.number() })), null),
});

/** A job: its state, customer, request, and its result once it is completed. The id is the document's name. */
export type Job = JobState &
  Omit<v.InferOutput<typeof StoredJob>, keyof JobState | "request"> & { readonly id: string; readonly request: StoredRequest };

/** What a query of jobs selects: all but what only a job's product reads, of which a request may have twenty thousand ids. */
export const LISTED_FIELDS = [
  ...Object.keys(v.omit(StoredJob, ["request"]).entries),
  ...Object.keys(StoredRequestFields.entries).map((name) => `request.${name}`),
];

export function jobRef(db: Firestore, id: string): DocumentReference {
  return db.collection("jobs").doc(id);
}

/** Parses a job document. Undefined when the document does not exist. Throws `ValiError` when it cannot be read as a job. */
export function readJob(document: DocumentSnapshot | undefined): Job | undefined {
  return document && jobOf(document.id, document.data());
}

/** Parses the fields of a job's document, undefined for a job that does not exist. Throws for an unreadable one. */
export function jobOf(id: string, data: unknown): Job | undefined {
  return data === undefined ? undefined : { ...v.parse(StoredJob, data), id };
}

/** Parses job documents. Unreadable ones are logged and skipped, so that they do not block the others. */
export function readJobs(documents: readonly DocumentSnapshot[], log: Log): Job[] {
  return documents.flatMap((document) => {
    const parsed = v.safeParse(StoredJob, document.data());
    if (parsed.success) return { ...parsed.output, id: document.id };
    const issues = parsed.issues.map((issue) => `${v.getDotPath(issue)}: expected ${issue.expected}`);
    log("ERROR", "A stored job cannot be read and is skipped", { jobId: document.id, issues });
    return [];
  });
}

/** Writes a job's new state. The request never changes, so it is not sent again. */
export function writeJob(db: Firestore, transaction: Transaction, job: Job): void {
  const { id, request: _request, uid: _uid, keyLabel: _keyLabel, createdAt: _createdAt, ...changing } = job;
  transaction.update(jobRef(db, id), { ...changing });
}
