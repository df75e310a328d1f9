import { BigQuery } from "@google-cloud/bigquery";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { isOver } from "../../../shared/jobs/job-state.ts";
import { type Job, readJob } from "../../../shared/jobs/stored-job.ts";
import type { Ready } from "../../local/ready-file.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { SubmittedJob } from "./submit-jobs.ts";

/** The result of a check: counts, and every violation as text. */
export interface Findings {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

const Counts = v.object({ running: v.number(), waiting: v.number() });

/** Checks that every accepted job has ended, once, that there are no other jobs, that no slot is lost, and that each query ran once. */
export async function checkJobs(ready: Ready, customers: readonly ChaosCustomer[], submitted: readonly SubmittedJob[]): Promise<Findings> {
  const db = new Firestore({ projectId: ready.project });
  const stored = (await Promise.all(customers.map(({ uid }) => storedJobs(db, uid)))).flat();
  const counts = await Promise.all(
    customers.map(async ({ uid }) => ({ uid, ...v.parse(Counts, (await db.collection("customers").doc(uid).get()).data()) })),
  );
  await db.terminate();
  const queries = await queryIds(ready);
  const accepted = new Set(submitted.map(({ id }) => id));
  const faults = [
    ...stored.filter((job) => !isOver(job)).map((job) => `${job.id} is ${job.status}`),
    ...stored.filter(({ status }) => status !== "completed").map((job) => `${job.id} ended as ${job.status}: ${job.error}`),
    ...stored.filter(({ id }) => !accepted.has(id)).map(({ id }) => `${id} was submitted twice, or not by a customer`),
    ...[...accepted].filter((id) => !stored.some((job) => job.id === id)).map((id) => `${id} was accepted and is lost`),
    ...counts.filter(({ running, waiting }) => running + waiting > 0).map((one) => `slots are lost: ${JSON.stringify(one)}`),
    ...stored.flatMap((job) => queryFaults(job, queries)),
  ];
  const attempts = stored.reduce((sum, { attempt }) => sum + attempt, 0);
  const steps = stored.reduce((sum, { step }) => sum + step, 0);
  return {
    counts: {
      "jobs accepted": accepted.size,
      "jobs stored": stored.length,
      "jobs completed": stored.filter(({ status }) => status === "completed").length,
      attempts,
      "further steps": steps,
      "warehouse jobs of theirs": queries.filter((id) => stored.some((job) => id.startsWith(`agg_${job.id}_`))).length,
    },
    faults,
  };
}

async function storedJobs(db: Firestore, uid: string): Promise<Job[]> {
  const { docs } = await db.collection("jobs").where("uid", "==", uid).get();
  return docs.flatMap((document) => readJob(document) ?? []);
}

/** Returns the ids of all warehouse jobs. */
async function queryIds(ready: Ready): Promise<string[]> {
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
  const [jobs] = await bigquery.getJobs({ allUsers: true, maxResults: 100_000, autoPaginate: false });
  return jobs.flatMap(({ id }) => id?.split(/[.:]/).at(-1) ?? []);
}

/** Checks the number of a job's queries per attempt: a summary, and for an export also the export. */
function queryFaults({ id, attempt, request }: Job, queries: readonly string[]): string[] {
  const own = queries.filter((query) => query.startsWith(`agg_${id}_`));
  const wanted = attempt * (request.full ? 2 : 1);
  return own.length === wanted ? [] : [`${id} had ${own.length} warehouse jobs, not ${wanted}: ${own.join(", ")}`];
}
