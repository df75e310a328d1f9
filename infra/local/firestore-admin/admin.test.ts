import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectEngine } from "../../testing/contracts/firestore/engine.ts";
import { startAdminUnderTest } from "../../testing/contracts/firestore-admin.ts";
import { startFirestore } from "../firestore/start.ts";
import { assertDatabaseExists } from "./existing.ts";

const PROJECT = "demo-admin";
const START = Date.UTC(2024, 1, 29, 12);
const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), "firestore-admin-"));

let time: number;
let connected: ReturnType<typeof connectEngine>;
let under: Awaited<ReturnType<typeof startAdminUnderTest>>;

async function start(dataDirectory?: string): Promise<void> {
  const engine = await startFirestore({ project: PROJECT, now: () => time, ...(dataDirectory && { dataDirectory }) });
  connected = connectEngine(engine, PROJECT);
  under = await startAdminUnderTest({ engine, project: PROJECT, now: () => new Date(time) });
}

async function stop(): Promise<void> {
  await under.admin.close();
  await connected.end();
}

beforeEach(async () => {
  time = START;
  await start();
});
afterEach(stop);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a document of a database. */
const read = async (database: string, path: string) => (await connected.engine.connect({ databaseId: database }).doc(path).get()).data();

describe("a clone of a past minute", () => {
  it("has the documents of that minute with their subcollections; later writes stay in the database where they were made", async () => {
    const { db } = connected.engine;
    await db.doc("customers/acme").set({ name: "Acme", limits: { jobs: 5 }, since: new Date(START) });
    await db.doc("customers/acme/notes/n1").set({ n: 1 });
    time += 2 * MINUTE;
    await db.doc("customers/acme").update({ name: "Acme Mobility" });
    await db.doc("customers/globex").set({ name: "Globex" });
    const operation = await under.ended(await under.clone("(default)", "copy", new Date(START + MINUTE)));
    expect(operation).toMatchObject({
      done: true,
      metadata: { operationState: "SUCCESSFUL", database: `projects/${PROJECT}/databases/copy` },
    });
    expect(await read("copy", "customers/acme")).toEqual(expect.objectContaining({ name: "Acme", limits: { jobs: 5 } }));
    expect(await read("copy", "customers/acme/notes/n1")).toEqual({ n: 1 });
    expect(await read("copy", "customers/globex")).toBeUndefined();
    await connected.engine.connect({ databaseId: "copy" }).doc("customers/new").set({});
    expect(await read("(default)", "customers/new")).toBeUndefined();
    expect(await read("(default)", "customers/acme")).toMatchObject({ name: "Acme Mobility" });
  });

  it.each([
    ["a part of a minute", () => under.clone("(default)", "copy", new Date(START - 1)), 400, "whole minute"],
    ["a time to come", () => under.clone("(default)", "copy", new Date(START + MINUTE)), 400, "future"],
    [
      "a time that the engine does not know",
      () => under.clone("(default)", "copy", new Date(START - MINUTE)),
      400,
      "earliest version time",
    ],
    ["a database that is not there", () => under.clone("lost", "copy", new Date(START)), 404, "lost does not exist"],
    ["a name that is taken", () => under.clone("(default)", "usage", new Date(START)), 409, "already exists"],
    ["a name that is none", () => under.clone("(default)", "Copy", new Date(START)), 400, "Invalid database id"],
    ["a backup that is not there", () => under.restore("projects/demo-admin/locations/x/backups/y", "copy"), 404, "does not exist"],
    ["the deletion of a protected database", () => under.call("DELETE", "databases/(default)"), 400, "delete protection"],
  ])("of %s is refused, as in the cloud", async (_, refused, status, text) => {
    const answer = await refused();
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(text) } } });
  });

  it("is deleted, and its name is free again", async () => {
    const cloned = () => under.clone("(default)", "copy", new Date(START));
    await connected.engine.db.doc("customers/acme").set({});
    await under.ended(await cloned());
    expect((await under.ended(await under.call("DELETE", "databases/copy"))).error).toBeUndefined();
    expect(await read("copy", "customers/acme")).toBeUndefined();
    expect((await under.ended(await cloned())).error).toBeUndefined();
    expect(await read("copy", "customers/acme")).toEqual({});
  });
});

it("a backup and the databases made from it are there after a restart on the same data folder, and the copy is listed with its source", async () => {
  await stop();
  await start(folder);
  await connected.engine.db.doc("customers/acme").set({ name: "Acme" });
  const backup = await under.takeBackup("(default)");
  await connected.engine.db.doc("customers/acme").delete();
  await stop();
  await start(folder);
  expect(await under.call("GET", "locations/-/backups")).toMatchObject({
    body: {
      backups: [{ name: backup, database: `projects/${PROJECT}/databases/(default)`, state: "READY", stats: { documentCount: "1" } }],
    },
  });
  await under.ended(await under.restore(backup, "restored"));
  expect(await read("restored", "customers/acme")).toEqual({ name: "Acme" });
  await stop();
  await start(folder);
  expect(await under.call("GET", "databases/restored")).toMatchObject({ status: 200, body: { sourceInfo: { backup: { backup } } } });
  expect(await read("restored", "customers/acme")).toEqual({ name: "Acme" });
  const exists = (database: string) => assertDatabaseExists(connected.engine.address, PROJECT, database, "(default)");
  await expect(exists("(default)")).resolves.toBeUndefined();
  await expect(exists("restored")).resolves.toBeUndefined();
  await expect(exists("restord")).rejects.toThrow("There is no database restord here: --database names one of (default), restored");
});

it("the databases are its own engine's, whichever engine the environment names", async () => {
  const other = await startFirestore({ project: PROJECT });
  vi.stubEnv("FIRESTORE_EMULATOR_HOST", other.address);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await other.close();
  });
  await under.ended(await under.restore(await under.takeBackup("(default)"), "restored"));
  const elsewhere = await startAdminUnderTest({ engine: other, project: PROJECT });
  onTestFinished(() => elsewhere.admin.close());
  expect(await under.call("GET", "databases/restored")).toMatchObject({ status: 200 });
  expect(await elsewhere.call("GET", "databases/restored")).toMatchObject({ status: 404 });
});

it("a caller without an operator's token is refused", async () => {
  const answer = await fetch(`http://${under.admin.address}/v1/projects/${PROJECT}/databases`);
  expect(answer.status).toBe(401);
});
