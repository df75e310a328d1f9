import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { FieldValue, type Transaction } from "@google-cloud/firestore";
import { afterEach, describe, expect, it } from "vitest";
import { signal } from "../../testing/contracts/firestore/check.ts";
import { connectEngine } from "../../testing/contracts/firestore/engine.ts";
import { functionAccounts } from "../access.ts";
import { Identity, SCOPES } from "../identity.ts";
import { type FirestoreOptions, startFirestore } from "./start.ts";

const PROJECT = "demo-embedded";
let end = async () => {};

async function started(options: Omit<FirestoreOptions, "project"> = {}) {
  const connected = connectEngine(await startFirestore({ project: PROJECT, ...options }), PROJECT);
  end = connected.end;
  return connected.engine;
}

afterEach(() => end());

describe("the embedded server's clock", () => {
  it("is the injected one, in update times, read times and server timestamps", async () => {
    let now = Date.UTC(2024, 1, 29, 12);
    const { db, fresh } = await started({ now: () => now });
    const ref = fresh().doc("x");
    const { writeTime } = await ref.set({ at: FieldValue.serverTimestamp() });
    now += 60_000;
    const read = await ref.get();
    expect(writeTime.toMillis()).toBe(Date.UTC(2024, 1, 29, 12));
    expect(read.get("at").toMillis()).toBe(Date.UTC(2024, 1, 29, 12));
    expect(read.readTime.toMillis()).toBe(now);
    expect((await db.collection("none").get()).readTime.toMillis()).toBe(now);
  });

  it("gives each commit a later time, even if it stands still or goes back", async () => {
    let now = 5_000;
    const { fresh } = await started({ now: () => now });
    const ref = fresh().doc("x");
    const first = await ref.set({ n: 1 });
    const second = await ref.set({ n: 2 });
    now = 1_000;
    const third = await ref.set({ n: 3 });
    expect([first, second, third].map(({ writeTime }) => writeTime.nanoseconds)).toEqual([0, 1_000, 2_000]);
  });
});

describe("a transaction whose client is gone", () => {
  it("releases its documents when the client's process is killed", async () => {
    const { address, fresh } = await started({ limits: { idleMaxOrphaned: 100 } });
    const ref = fresh().doc("x");
    await ref.set({ n: 1 });
    const code = `
      import { Firestore } from "@google-cloud/firestore";
      const db = new Firestore({ projectId: "${PROJECT}" });
      await db.runTransaction(async (transaction) => {
        await transaction.get(db.doc("${ref.path}"));
        console.log("locked");
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });
    `;
    const client = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: import.meta.dirname,
      env: { ...process.env, FIRESTORE_EMULATOR_HOST: address },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(client.stdout, "data");
    let written = false;
    const write = ref.update({ n: 2 }).then(() => {
      written = true;
    });
    await ref.get();
    expect(written).toBe(false);
    client.kill("SIGKILL");
    await write;
  });

  it("releases them when it idles and another one waits; it is then retried and loses nothing", async () => {
    const { db, fresh } = await started({ limits: { idleMaxContended: 100 } });
    const ref = fresh().doc("x");
    await ref.set({ n: 1 });
    let attempts = 0;
    await db.runTransaction(async (transaction) => {
      attempts += 1;
      const n: number = (await transaction.get(ref)).get("n");
      if (attempts === 1) await ref.update({ n: 10 });
      // A read after the locks are lost still matches the reads before.
      expect((await transaction.get(ref)).get("n")).toBe(n);
      transaction.update(ref, { n: n + 1 });
    });
    expect(attempts).toBe(2);
    expect((await ref.get()).data()).toEqual({ n: 11 });
  });

  it("restores nothing in a database that was cleared in the meantime", async () => {
    const { address, db, fresh } = await started();
    const ref = fresh().doc("x");
    await ref.set({ n: 1 });
    let attempts = 0;
    await db.runTransaction(async (transaction) => {
      attempts += 1;
      const read = await transaction.get(ref);
      if (attempts === 1) {
        await fetch(`http://${address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
      }
      transaction.set(ref, { before: read.exists });
    });
    expect((await ref.get()).data()).toEqual({ before: false });
  });
});

describe("contention", () => {
  it("waits in a queue for locks: concurrent increments of one document need one attempt each", async () => {
    const { db, fresh } = await started();
    const ref = fresh().doc("x");
    await ref.set({ n: 0 });
    let attempts = 0;
    const increment = async (transaction: Transaction) => {
      attempts += 1;
      const n: number = (await transaction.get(ref)).get("n");
      transaction.update(ref, { n: n + 1 });
    };
    await Promise.all(Array.from({ length: 100 }, () => db.runTransaction(increment)));
    expect(attempts).toBe(100);
    expect((await ref.get()).data()).toEqual({ n: 100 });
  });
});

describe("the embedded server", () => {
  it("is cleared by clearFirestoreData of firebase-functions-test", async () => {
    const { db, fresh } = await started();
    await fresh().doc("x/y/z").set({ n: 1 });
    const features = createRequire(import.meta.url)("firebase-functions-test")({ projectId: PROJECT });
    await features.firestore.clearFirestoreData(PROJECT);
    features.cleanup();
    expect(await db.listCollections()).toEqual([]);
  });

  it("with accounts, deletes all documents for operators and tools only", async () => {
    const identity = new Identity();
    const [fn = ""] = functionAccounts(PROJECT).values();
    const operator = `operator@${PROJECT}.iam.gserviceaccount.com`;
    for (const account of [fn, operator]) identity.addAccount(account);
    const { address, fresh } = await started({ identity });
    const ref = fresh().doc("x");
    await ref.set({ n: 1 });
    const statusFor = async (authorization: string | undefined): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      const url = `http://${address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`;
      return (await fetch(url, { method: "DELETE", headers })).status;
    };
    const tokenOf = (account: string) => `Bearer ${identity.mint(account, [SCOPES.cloudPlatform], 60).accessToken}`;
    const refused = [undefined, "Bearer", "Basic owner", "Bearer wrong", tokenOf(fn)];
    expect(await Promise.all(refused.map(statusFor))).toEqual([401, 401, 401, 401, 403]);
    expect((await ref.get()).exists).toBe(true);
    expect([await statusFor("Bearer owner"), await statusFor(tokenOf(operator))]).toEqual([200, 200]);
    expect((await ref.get()).exists).toBe(false);
  });

  it("stops while clients listen and wait, and frees its port", async () => {
    const server = await startFirestore({ project: PROJECT });
    const { engine, end: endClients } = connectEngine({ ...server, close: async () => {} }, PROJECT);
    const listening = signal();
    const stop = engine.fresh().onSnapshot(listening.give, () => {});
    await listening.given;
    await server.close();
    stop();
    const port = Number(server.address.split(":")[1]);
    const again = await startFirestore({ project: PROJECT, port });
    expect(again.address).toBe(server.address);
    end = async () => {
      await endClients();
      await again.close();
    };
  });
});
