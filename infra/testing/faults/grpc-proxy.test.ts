import { Firestore } from "@google-cloud/firestore";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFirestore } from "../../local/firestore/start.ts";
import type { LocalServer } from "../../local/server.ts";
import { randomOf } from "../simulation/random.ts";
import { fatesOf } from "./fate.ts";
import { startGrpcProxy } from "./grpc-proxy.ts";

const fates = fatesOf(randomOf(20_261_121), 0.3);
let engine: LocalServer;
let proxy: LocalServer;
let db: Firestore;

beforeAll(async () => {
  engine = await startFirestore({ project: "demo-local" });
  proxy = await startGrpcProxy(engine.address, fates);
  // Overrides the environment of the run.
  process.env.FIRESTORE_EMULATOR_HOST = proxy.address;
  db = new Firestore({ projectId: "demo-local" });
});

afterAll(async () => {
  await db.terminate();
  await proxy.close();
  await engine.close();
});

/** Makes a call with the real client, retrying as needed. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      // One of the injected faults. The next try may succeed.
    }
  }
}

test("every kind of fault reaches the real client, and calls that pass are unchanged", async () => {
  const counters = Array.from({ length: 12 }, (_, index) => db.collection("counters").doc(`counter-${index}`));
  await Promise.all(counters.map((counter, index) => insist(() => counter.set({ count: index }))));
  const counts = await Promise.all(counters.map((counter) => insist(async () => (await counter.get()).get("count"))));
  expect(counts).toEqual(counters.map((_, index) => index));
  fates.calm();
  expect(Object.entries(fates.counts()).filter(([, count]) => count === 0)).toEqual([]);
});
