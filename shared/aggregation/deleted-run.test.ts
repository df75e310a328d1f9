import type { Firestore } from "@google-cloud/firestore";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { createCustomer, setCustomerStatus } from "../accounts/customer-lifecycle.ts";
import { DEFAULT_LIMITS } from "../accounts/customers.ts";
import { firestore } from "../google/firestore.ts";
import { type JobStore, openJobs } from "../jobs/jobs.ts";
import { parseConfig } from "../runtime/config.ts";
import { START as NOW, newOdmJob, openJobPath, type Step } from "./testing/job-path.ts";

const PROJECT = "populus-deleted-run";
const UID = "acmemobility";

let server: LocalServer;
let db: Firestore;
let jobs: JobStore;

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  process.env.METADATA_SERVER_DETECTION = "none";
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  db = firestore(config);
  jobs = openJobs(config, () => undefined);
});

afterAll(async () => {
  await db.terminate();
  await server.close();
});

beforeEach(async () => {
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
  const customer = { name: "Acme", countries: ["EST"], defaultCountry: "EST", limits: { ...DEFAULT_LIMITS, runningJobs: 1 } };
  await createCustomer(db, UID, customer);
});

/** Delivers an export job to the worker. `happen` runs just before the `time`-th call of the port `before`. */
async function runAnd(happen: () => Promise<unknown>, before: string, time: number) {
  await jobs.submit(UID, { now: NOW, make: (placed) => newOdmJob("job", UID, true, placed, NOW) });
  await jobs.submit(UID, { now: NOW, make: (placed) => newOdmJob("waiting", UID, true, placed, NOW) });
  let called = 0;
  const step: Step = async (name, effect) => {
    if (name === before && ++called === time) await happen();
    return effect();
  };
  const { deliver, files, sent } = openJobPath({ runningMax: {}, step, jobs });
  await deliver(firstOf("job"));
  return { files, sent, deliver };
}

function firstOf(id: string) {
  return { job_id: id, attempt: 1, step: 0 };
}

/** Deletes a customer with its jobs, as an operator does. */
async function deleteCustomer(): Promise<void> {
  for (const document of [db.doc("jobs/job"), db.doc("jobs/waiting"), db.doc(`customers/${UID}`)]) await document.delete();
}

/** The calls of a port by a delivery: starts and waits of its statements, the list of files, the manifest. */
const MOMENTS = [
  ["warehouse.start", 1],
  ["warehouse.wait", 1],
  ["warehouse.start", 2],
  ["warehouse.wait", 2],
  ["warehouse.bill", 1],
  ["exports.list", 1],
  ["exports.writeJson", 1],
] as const;

describe("a delivery whose customer is deleted", () => {
  it.each(MOMENTS)("before its call of %s, number %i, leaves no file, no job and no error", async (before, time) => {
    const { files } = await runAnd(deleteCustomer, before, time);
    expect([...files.keys()]).toEqual([]);
    expect((await jobs.get("job"))?.status).toBeUndefined();
    expect((await db.doc(`customers/${UID}`).get()).exists).toBe(false);
  });
});

describe("a customer's suspension", () => {
  it.each(MOMENTS)(
    "before a delivery's call of %s, number %i, lets the job finish and the next one take its slot",
    async (before, time) => {
      const { files, sent, deliver } = await runAnd(() => setCustomerStatus(db, UID, "suspended"), before, time);
      expect(await jobs.get("job")).toMatchObject({ status: "completed" });
      expect(sent.map(({ message }) => message)).toEqual([firstOf("waiting")]);
      await deliver(firstOf("waiting"));
      expect(await jobs.get("waiting")).toMatchObject({ status: "completed" });
      expect([...files.keys()].filter((name) => name.endsWith("/manifest.json"))).toHaveLength(2);
      expect((await db.doc(`customers/${UID}`).get()).data()).toMatchObject({ status: "suspended", running: 0, waiting: 0 });
    },
  );
});
