import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Firestore, Timestamp } from "@google-cloud/firestore";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Killable, startKillable } from "../../testing/engines/killable.ts";
import { chanceOf } from "../../testing/reference/chance.ts";
import { startFirestore } from "./start.ts";

const PROJECT = "demo-local";
const WRITERS = 12;
const PARTS = 3;

let directory: string;
let open: { readonly db: Firestore; readonly server: Killable }[];

beforeEach(() => {
  vi.stubEnv("METADATA_SERVER_DETECTION", "none");
  directory = mkdtempSync(join(tmpdir(), "kept-firestore-"));
  open = [];
});

afterEach(async () => {
  // A client of a dead server retries for minutes before it terminates, so the test does not wait for it.
  for (const { db, server } of open) await Promise.all([server.kill(), void db.terminate()]);
  rmSync(directory, { recursive: true, force: true });
});

async function started(roomKiB?: number) {
  const server = await startKillable({ product: "firestore", directory, ...(roomKiB === undefined ? {} : { roomKiB }) });
  vi.stubEnv("FIRESTORE_EMULATOR_HOST", server.address);
  const db = new Firestore({ projectId: PROJECT });
  open.push({ db, server });
  return { db, server };
}

/**
 * Writes at full speed, several documents per commit, and kills the server after `acknowledgements` commits. Returns what was attempted and
 * acknowledged.
 */
async function writeUntilKilled(db: Firestore, server: Killable, { round, acknowledgements }: { round: number; acknowledgements: number }) {
  const tried: string[] = [];
  const acknowledged = new Map<string, number>();
  let killed: Promise<void> | undefined;
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; killed === undefined; n += 1) {
      const id = `${round}-${writer}-${n}`;
      tried.push(id);
      const batch = db.batch();
      for (let part = 0; part < PARTS; part += 1)
        batch.create(db.doc(`wholes/${id}/parts/${part}`), { id, bytes: Buffer.alloc(300, part) });
      const [result] = await batch.commit();
      acknowledged.set(id, result?.writeTime.nanoseconds ?? -1);
      if (acknowledged.size === acknowledgements) killed = server.kill();
    }
  };
  const reached = Promise.withResolvers<void>();
  // Requests to the dead server never get an answer.
  for (let writer = 0; writer < WRITERS; writer += 1) void write(writer).then(reached.resolve, reached.resolve);
  await reached.promise;
  await killed;
  return { tried, acknowledged };
}

describe("a Firestore with a data folder that is killed while clients write", () => {
  it("restores every acknowledged commit, and every other one whole or not at all", { timeout: 60_000 }, async () => {
    const chance = chanceOf(61);
    const known = new Map<string, number>();
    const wholes = new Set<string>();
    let { db, server } = await started();
    for (let round = 0; round < 5; round += 1) {
      const { tried, acknowledged } = await writeUntilKilled(db, server, { round, acknowledgements: chance.whole(1, 600) });
      for (const [id, time] of acknowledged) known.set(id, time);
      ({ db, server } = await started());
      const found = new Map<string, Timestamp[]>();
      for (const part of (await db.collectionGroup("parts").get()).docs) {
        const id: string = part.get("id");
        found.set(id, [...(found.get(id) ?? []), part.updateTime]);
      }
      for (const [id, nanoseconds] of known) expect(found.get(id)?.map((time) => time.nanoseconds)).toEqual(Array(PARTS).fill(nanoseconds));
      for (const id of [...wholes, ...found.keys()]) expect(found.get(id)).toHaveLength(PARTS);
      for (const id of found.keys()) {
        expect(known.has(id) || wholes.has(id) || tried.includes(id)).toBe(true);
        wholes.add(id);
      }
    }
    expect(known.size).toBeGreaterThan(500);
  });

  it("continues in time: old preconditions hold, later commits are later, and past reads are refused", async () => {
    const { db, server } = await started();
    const ref = db.doc("a/b");
    const first = await ref.set({ n: 1 });
    await db.doc("a/gone").set({ n: 1 });
    const deleted = await db.doc("a/gone").delete();
    await server.kill();
    const { db: again } = await started();
    const read = await again.doc("a/b").get();
    expect([read.updateTime, read.createTime]).toEqual([first.writeTime, first.writeTime]);
    expect((await again.doc("a/gone").get()).exists).toBe(false);
    await expect(again.doc("a/b").update({ n: 2 }, { lastUpdateTime: Timestamp.fromMillis(5) })).rejects.toMatchObject({ code: 9 });
    const next = await again.doc("a/b").update({ n: 2 }, { lastUpdateTime: first.writeTime });
    expect(next.writeTime.valueOf() > deleted.writeTime.valueOf()).toBe(true);
    const past = again.runTransaction((transaction) => transaction.get(again.doc("a/b")), { readOnly: true, readTime: first.writeTime });
    await expect(past).rejects.toThrow("read_time' is too old");
  });

  it("restores values of every kind", async () => {
    const { db, server } = await started();
    const value = {
      nothing: null,
      flag: true,
      whole: 2 ** 53 - 1,
      broken: [0.1, Number.NaN, -0, Number.POSITIVE_INFINITY],
      text: "ü😀\u0000",
      bytes: Buffer.from([0, 255]),
      time: new Timestamp(-5, 123_456_000),
      deep: { "a.b": { "": 1 } },
    };
    const { "": _, ...deep } = value.deep["a.b"];
    await db.doc("a/b").set({ ...value, deep, ref: db.doc("x/y") });
    const before = (await db.doc("a/b").get()).data();
    await server.kill();
    const { db: again } = await started();
    const after = (await again.doc("a/b").get()).data();
    expect(after?.ref.path).toBe("x/y");
    expect({ ...after, ref: null }).toEqual({ ...before, ref: null });
  });
});

describe.skipIf(process.platform !== "linux")("a Firestore whose disk is full", () => {
  it("acknowledges nothing, continues to serve reads, and resumes writing when there is space", async () => {
    const { db, server } = await started(200);
    const acknowledged: string[] = [];
    let stopped = false;
    const write = async (): Promise<void> => {
      for (let n = 0; !stopped; n += 1) {
        await db.doc(`filling/${n}`).set({ bytes: Buffer.alloc(2000, n) });
        acknowledged.push(String(n));
      }
    };
    const writing = write();
    await server.logged("no space left on the disk");
    const held = (await db.collection("filling").get()).docs.map(({ id }) => id);
    expect(held.sort()).toEqual([...acknowledged].sort());
    expect(held.length).toBeGreaterThan(50);
    server.makeRoom();
    await server.logged("can be written again");
    await db.doc("after/all").set({ n: 1 });
    stopped = true;
    await writing;
    expect(acknowledged.length).toBeGreaterThan(held.length);
    await server.kill();
    const { db: again } = await started();
    expect((await again.collection("filling").get()).docs.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
    expect((await again.doc("after/all").get()).exists).toBe(true);
  });
});

describe("a Firestore whose data folder is damaged", () => {
  it("names the file, the position and the remedy instead of starting", async () => {
    const { db, server } = await started();
    for (const id of ["a", "b", "c"]) await db.doc(`x/${id}`).set({ id });
    await server.kill();
    const file = join(directory, "firestore", "journal");
    const bytes = readFileSync(file);
    const middle = bytes.length >>> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(startFirestore({ project: PROJECT, dataDirectory: directory })).rejects.toThrow(
      /firestore\/journal is damaged at byte \d+: .*Start with another data folder, .* or delete it/,
    );
  });
});
