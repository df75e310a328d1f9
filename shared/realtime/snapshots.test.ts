import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { firestore } from "../google/firestore.ts";
import { parseConfig } from "../runtime/config.ts";
import type { Headcount } from "./headcount.ts";
import { MAPS_MAX, openSnapshotReader, openSnapshots, type ReadSnapshot, type SnapshotStore, snapshotRows } from "./snapshots.ts";

const PROJECT = "populus-snapshots";
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12, minutes));
/** A map's id has 20 letters and digits, its name at most 200 characters of at most four bytes. */
const LONGEST = { targetId: "m".repeat(20), targetName: "𠮷".repeat(200) };
const row = (more: Partial<Headcount> = {}): Headcount => ({
  ...{ targetId: "harbour", targetName: "Harbour", timestamp: at(0), peopleCount: 7, result: "OUT_OF_COVERAGE" },
  ...more,
});

let server: LocalServer;
let snapshots: SnapshotStore;
let read: ReadSnapshot;
let logged: unknown[];
const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  process.env.METADATA_SERVER_DETECTION = "none";
});

afterAll(async () => {
  await firestore(config).terminate();
  await server.close();
});

beforeEach(async () => {
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
  logged = [];
  snapshots = openSnapshots(config, (severity, message, fields) => logged.push([severity, message, fields?.uid]));
  read = openSnapshotReader(config);
  await firestore(config).collection("customers").doc("acme").set({});
});

describe("the store of snapshots", () => {
  it.each<[string, object]>([
    ["an invalid row", { tick: at(0), rows: [{ targetId: 7 }] }],
    ["an invalid time", { tick: "yesterday", rows: [] }],
    ["no valid field", { rows: "none", hidden: [1] }],
  ])("replaces a document that has %s, and logs an error", async (_what, document) => {
    await firestore(config).collection("snapshots").doc("acme").set(document);
    await expect(read("acme")).rejects.toThrow();
    await snapshots.write("acme", at(5), [row()], at(5));
    expect(await read("acme")).toEqual([row()]);
    expect(logged).toEqual([["ERROR", "A snapshot cannot be read; it is replaced", "acme"]]);
    await snapshots.write("acme", at(10), [row({ peopleCount: 8 })], at(10));
    expect(await read("acme")).toEqual([row({ peopleCount: 8 })]);
    expect(logged).toHaveLength(1);
  });

  it("keeps switched-off maps hidden when it replaces an invalid document", async () => {
    const db = firestore(config);
    await db
      .collection("snapshots")
      .doc("acme")
      .set({ tick: at(0), rows: "none" });
    await db
      .collection("mapChanges")
      .doc("square")
      .set({ uid: "acme", version: 2, changedAt: at(1) });
    await db.runTransaction(async (transaction) => snapshotRows.hide(db, transaction, "acme", "square"));
    await snapshots.write("acme", at(5), [row(), row({ targetId: "square" })], at(5));
    expect((await read("acme")).map(({ targetId }) => targetId)).toEqual(["harbour"]);
  });

  it("has room for the maximum number of maps, with the longest names", async () => {
    const rows = Array.from({ length: MAPS_MAX }, (_, index) => row({ ...LONGEST, peopleCount: index }));
    await snapshots.write("acme", at(5), rows, at(5));
    expect(await read("acme")).toEqual(rows);
  });
});
