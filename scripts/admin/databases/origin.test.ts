import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFirestore } from "../../../infra/local/firestore/start.ts";
import { connectEngine } from "../../../infra/testing/contracts/firestore/engine.ts";
import { startAdminUnderTest } from "../../../infra/testing/contracts/firestore-admin.ts";
import { parseConfig } from "../../../shared/runtime/config.ts";
import { openFirestoreAdmin } from "./firestore-admin.ts";
import { originOf, recordOrigin, sinceOf } from "./origin.ts";

const PROJECT = "demo-origin";
const SNAPSHOT = new Date("2026-11-22T06:00:00Z");
const CREATED = new Date("2026-11-22T12:00:00Z");
let time = SNAPSHOT;
let connected: ReturnType<typeof connectEngine>;
let under: Awaited<ReturnType<typeof startAdminUnderTest>>;

beforeAll(async () => {
  const engine = await startFirestore({ project: PROJECT, now: () => time.getTime() });
  connected = connectEngine(engine, PROJECT);
  under = await startAdminUnderTest({ engine, project: PROJECT, now: () => time });
});

afterAll(async () => {
  await under.admin.close();
  await connected.end();
});

function session() {
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  const headers = { authorization: `Bearer ${under.token}`, "content-type": "application/json" };
  const rest = (method: string, url: string, body?: object) => fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { config, firestoreAdmin: openFirestoreAdmin(`http://${under.admin.address}`, PROJECT, rest) };
}

describe("the origin of a restored database", () => {
  it("is that of its own record, of its backup, or unknown", async () => {
    const { firestoreAdmin } = session();
    await connected.engine.db.doc("customers/acme").set({ name: "Acme" });
    const backup = await under.takeBackup("(default)");
    time = CREATED;
    await firestoreAdmin.clone("(default)", "cloned", SNAPSHOT);
    expect(await originOf(session(), "cloned")).toEqual({ snapshotTime: undefined, createTime: CREATED });
    await recordOrigin(session(), "cloned", SNAPSHOT);
    expect(await originOf(session(), "cloned")).toEqual({ snapshotTime: SNAPSHOT, createTime: CREATED });
    // A copy of the copy has the record of the first one, which is not its own.
    await firestoreAdmin.clone("cloned", "cloned-again", CREATED);
    expect(await originOf(session(), "cloned-again")).toEqual({ snapshotTime: undefined, createTime: CREATED });
    await firestoreAdmin.restore(backup, "restored");
    expect(await originOf(session(), "restored")).toEqual({ snapshotTime: SNAPSHOT, createTime: CREATED });
    await expect(originOf(session(), "missing")).rejects.toThrow("missing does not exist");
  });
});

describe("the time since which access may have been withdrawn", () => {
  const recorded = { snapshotTime: SNAPSHOT, createTime: CREATED };
  const unknown = { snapshotTime: undefined, createTime: CREATED };
  const [earlier, between, later] = ["2026-11-22T05:00:00Z", "2026-11-22T06:00:00.001Z", "2026-11-22T12:00:00.001Z"].map(
    (text) => new Date(text),
  );

  it.each([
    ["what is recorded", recorded, undefined, SNAPSHOT],
    ["an earlier one that is given: more is looked at", recorded, earlier, earlier],
    ["what is given, if nothing is recorded", unknown, between, between],
  ])("is %s", (_, origin, given, since) => {
    expect(sinceOf("restored", origin, given)).toEqual(since);
  });

  it.each([
    ["a time after the state", recorded, between, "is too late: what was withdrawn before it would come back. restored has the state of"],
    ["a time after the database was made", unknown, later, "restored was made at 2026-11-22T12:00:00.000Z, from an earlier state"],
    ["no time, if nothing is recorded", unknown, undefined, "--since T is missing"],
  ])("is never %s", (_, origin, given, why) => {
    expect(() => sinceOf("restored", origin, given)).toThrow(why);
  });
});
