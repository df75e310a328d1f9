import { afterAll, beforeAll, expect, it } from "vitest";
import { connectEngine } from "../../testing/contracts/firestore/engine.ts";
import { startAdminUnderTest } from "../../testing/contracts/firestore-admin.ts";
import { startGoogleFirestore } from "../google/firestore.ts";

const PROJECT = "demo-admin";
let connected: ReturnType<typeof connectEngine>;
let under: Awaited<ReturnType<typeof startAdminUnderTest>>;

beforeAll(async () => {
  const engine = await startGoogleFirestore({ project: PROJECT });
  connected = connectEngine(engine, PROJECT);
  under = await startAdminUnderTest({ engine, project: PROJECT });
});

afterAll(async () => {
  await under.admin.close();
  await connected.end();
});

it("a backup of Google's emulator is restored into a database of another name, and later writes stay in theirs", {
  timeout: 120_000,
}, async () => {
  const { db, connect } = connected.engine;
  await db.doc("customers/acme/parts/one").set({ n: 1, at: new Date(0) });
  const backup = await under.takeBackup("(default)");
  await db.doc("customers/acme/parts/one").delete();
  expect(await under.ended(await under.restore(backup, "restored"))).toMatchObject({ metadata: { operationState: "SUCCESSFUL" } });
  const restored = connect({ databaseId: "restored" });
  expect((await restored.doc("customers/acme/parts/one").get()).get("n")).toBe(1);
  await restored.doc("customers/acme/parts/two").set({ n: 2 });
  expect((await db.collection("customers/acme/parts").get()).size).toBe(0);
});
