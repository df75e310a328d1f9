import { afterAll, beforeAll, expect, it } from "vitest";
import { startFirestore } from "../../../infra/local/firestore/start.ts";
import { connectEngine } from "../../../infra/testing/contracts/firestore/engine.ts";
import { startAdminUnderTest } from "../../../infra/testing/contracts/firestore-admin.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { parseConfig } from "../../../shared/runtime/config.ts";
import { drill } from "./drill.ts";
import { openFirestoreAdmin } from "./firestore-admin.ts";

const PROJECT = "demo-drill";
const START = Date.UTC(2024, 1, 29, 12);
let time = START;
let connected: ReturnType<typeof connectEngine>;
let under: Awaited<ReturnType<typeof startAdminUnderTest>>;

beforeAll(async () => {
  const engine = await startFirestore({ project: PROJECT, now: () => time });
  connected = connectEngine(engine, PROJECT);
  under = await startAdminUnderTest({ engine, project: PROJECT, now: () => new Date(time) });
});

afterAll(async () => {
  await under.admin.close();
  await connected.end();
});

/** What a drill needs of a session. */
function session() {
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  const headers = { authorization: `Bearer ${under.token}`, "content-type": "application/json" };
  const rest = (method: string, url: string, body?: object) => fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const firestoreAdmin = openFirestoreAdmin(`http://${under.admin.address}`, PROJECT, rest);
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  return { config, db: firestore(config), firestoreAdmin, auditSince: async () => [], notes, note, now: () => new Date(time) };
}

it("a drill copies the last whole minute, finds every document of it in the copy, times the steps, and leaves no copy", async () => {
  const { db } = connected.engine;
  await db.doc("customers/acme").set({ name: "Acme", countries: ["EST"], allow: { scopes: [], profiles: [] }, status: "active" });
  await db.doc("customers/acme/machineAccounts/main").set({
    ...{ service: "storage", scopes: [], keyHash: "h", keyHint: "012345" },
    ...{ createdAt: new Date(START), rotatedAt: new Date(START) },
  });
  await db.doc("jobs/1").set({ uid: "acme", at: new Date(START), nested: { b: [1, { c: 2 }], a: "x" } });
  time = START + 90_000;
  // After the minute that is copied.
  await db.doc("jobs/2").set({ uid: "acme" });
  const { json } = await drill(session(), { keep: false });
  expect(json).toMatchObject({
    since: new Date(START + 60_000).toISOString(),
    collections: [
      { collection: "customers", source: 1, copy: 1, same: "yes" },
      { collection: "jobs", source: 1, copy: 1, same: "yes" },
      { collection: "machineAccounts", source: 1, copy: 1, same: "yes" },
    ],
    withdrawals: 0,
    steps: [
      { step: "clone" },
      { step: "read the copy" },
      { step: expect.stringContaining("access") },
      { step: "read the source" },
      { step: "delete the copy" },
    ],
  });
  expect(await session().firestoreAdmin.list()).toEqual(["(default)", "usage"]);
});

it("a drill whose copy lacks a document fails, names the collection, and leaves no copy", async () => {
  const { firestoreAdmin, ...rest } = session();
  const lossy = {
    ...firestoreAdmin,
    clone: async (source: string, target: string, at: Date) => {
      await firestoreAdmin.clone(source, target, at);
      await connected.engine.connect({ databaseId: target }).doc("jobs/1").delete();
    },
  };
  await expect(drill({ ...rest, firestoreAdmin: lossy }, { keep: false })).rejects.toThrow(/differs from \(default\) at .* in jobs/);
  expect(await firestoreAdmin.list()).toEqual(["(default)", "usage"]);
});

it("a drill tells of the copy that a killed one left, which holds all access and costs money", async () => {
  const { firestoreAdmin, notes, ...rest } = session();
  await firestoreAdmin.clone("(default)", "drill-20240229", new Date(START + 60_000));
  await drill({ ...rest, firestoreAdmin }, { keep: false });
  expect(notes).toEqual([
    expect.stringContaining(
      `drill-20240229 is there: another drill runs, or one was killed and left it. In the latter case: gcloud firestore databases delete --database=drill-20240229 --project ${PROJECT}`,
    ),
  ]);
  await firestoreAdmin.remove("drill-20240229");
});

it("a drill whose copy could not be made says why, and nothing of a copy", async () => {
  const { firestoreAdmin, notes, ...rest } = session();
  const inFuture = () => new Date(time + 3_600_000);
  await expect(drill({ ...rest, firestoreAdmin, now: inFuture }, { keep: false })).rejects.toThrow("cannot be in the future");
  expect(notes).toEqual([]);
});
