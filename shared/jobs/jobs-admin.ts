import type { Firestore } from "@google-cloud/firestore";
import type { Log } from "../runtime/log.ts";
import { type Job, LISTED_FIELDS, readJobs } from "./stored-job.ts";

/** Which jobs, and how many. An omitted filter matches all. */
interface JobFilter {
  readonly uid?: string | undefined;
  readonly status?: Job["status"] | undefined;
  readonly limit: number;
}

/** Returns the jobs of all customers for the operator, newest first. Unreadable documents are skipped and logged. */
export async function listAllJobs(db: Firestore, { uid, status, limit }: JobFilter, log: Log): Promise<Job[]> {
  const all = db.collection("jobs");
  const ofCustomer = uid === undefined ? all : all.where("uid", "==", uid);
  const standing = status === undefined ? ofCustomer : ofCustomer.where("status", "==", status);
  const { docs } = await standing
    .orderBy("createdAt", "desc")
    .select(...LISTED_FIELDS)
    .limit(limit)
    .get();
  return readJobs(docs, log);
}
