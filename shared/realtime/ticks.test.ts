import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import indexFile from "../../infra/firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../infra/local/firestore/start.ts";
import type { LocalServer } from "../../infra/local/server.ts";
import { startFirestoreMeter } from "../../infra/testing/engines/firestore-meter.ts";
import { INSTANT, memoryTicks } from "../../infra/testing/simulation/ticks/memory-ticks.ts";
import { firestore } from "../google/firestore.ts";
import { parseConfig } from "../runtime/config.ts";
import { LOAD_GROUPS } from "./load-customer-tables.ts";
import { openTicks, type TickStore } from "./ticks.ts";

const PROJECT = "populus-ticks";
const MINUTE = 60_000;
const LENGTH = 5 * MINUTE;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12) + minutes * MINUTE);

/** The groups of customers that are due at a tick: all, as long as tables are few. */
const ALL_DUE = Array.from({ length: LOAD_GROUPS }, (_, group) => group);

let server: LocalServer;
let meter: Awaited<ReturnType<typeof startFirestoreMeter>>;
let ticks: TickStore;
const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  meter = await startFirestoreMeter(server.address);
  process.env.FIRESTORE_EMULATOR_HOST = meter.address;
  process.env.METADATA_SERVER_DETECTION = "none";
  ticks = openTicks(config);
});

afterAll(async () => {
  await firestore(config).terminate();
  meter.close();
  await server.close();
});

beforeEach(async () => {
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE" });
  meter.take();
});

/** Returns a store's results for all operations of a refresh. */
async function answers(store: TickStore): Promise<unknown[]> {
  const given: unknown[] = [];
  const ask = async (answer: Promise<unknown>): Promise<void> => {
    given.push((await answer) ?? "nothing");
  };
  await ask(store.start(at(0), at(0), LENGTH));
  await ask(store.start(at(2), at(2)));
  await ask(store.recordFailure(at(0), "statement", 1));
  await ask(store.recordFailure(at(0), "statement", 1));
  await ask(store.recordFailure(at(0), "statement", 4));
  for (const [minutes, ...keys] of [
    [0, -7],
    [2, -7, -1, 0],
    [2, 1],
  ] as const)
    await ask(
      store.carry(
        at(minutes),
        keys.map((key) => ({ key: String(key), tick: at(key) })),
      ),
    );
  for (const [minutes, due, hasRows] of [
    [0, [0, 119], true],
    [2, [1, 119], true],
    [2, [5], false],
    [0, [7], true],
  ] as const)
    await ask(store.takeOn(at(minutes), due, hasRows, at(3)));
  await ask(store.finish(at(2)));
  await ask(store.start(at(20), at(21), LENGTH));
  await ask(store.start(at(40), at(60), LENGTH));
  await ask(store.start(at(30), at(31), LENGTH));
  await ask(store.pending(at(15), 10));
  await ask(store.pending(at(61), 2));
  await ask(store.abandon(at(5)));
  await ask(store.abandon(at(2)));
  for (const minutes of [0, 2, 5, 20]) await ask(store.start(at(minutes), at(70)));
  await ask(store.pending(at(61), 10));
  return given;
}

describe("the store of ticks", () => {
  it("behaves like its in-memory version, which the simulation tests", async () => {
    const given = await answers(ticks);
    expect(given).toEqual(await answers(memoryTicks().portOf(INSTANT)));
    expect(given.slice(5, 8)).toEqual([["-7"], ["-1"], ["-1"]]);
    expect(given.slice(8, 12)).toEqual([
      [{ tick: at(0), groups: [0, 119], carried: ["-7"] }],
      ...Array(2).fill([
        { tick: at(2), groups: [1, 119], carried: ["-1"] },
        { tick: at(0), groups: [1], carried: ["-7"] },
      ]),
      [{ tick: at(0), groups: [0, 119], carried: ["-7"] }],
    ]);
    expect(given[13]).toMatchObject({ tick: { state: "owed" }, missed: [at(15), at(10), at(5)] });
    expect(given[15]).toMatchObject({ missed: [at(25)] });
    expect(given[16]).toEqual([at(0), at(5), at(10), at(15)]);
  });

  it("makes a missed firing pending once, under concurrent starts", async () => {
    await ticks.start(at(0), at(0), LENGTH);
    const opened = await Promise.all([15, 10, 15, 10].map((minutes) => ticks.start(at(minutes), at(15), LENGTH)));
    const missed = opened.flatMap((one) => one.missed.map((tick) => (tick.getTime() - at(0).getTime()) / MINUTE));
    expect(missed.filter((minutes) => minutes === 5)).toEqual([5]);
    expect(await ticks.pending(at(14), 10)).toEqual([at(0), at(5)]);
  });

  it("returns the same next attempt to all callers that record one failure", async () => {
    await ticks.start(at(0), at(0));
    expect(await Promise.all(Array.from({ length: 8 }, () => ticks.recordFailure(at(0), "statement", 1)))).toEqual(Array(8).fill(2));
  });

  it("gives a measurement to one of two concurrent ticks", async () => {
    for (const minutes of [0, 2]) await ticks.start(at(minutes), at(2));
    const measurement = { key: "m", tick: at(-1) };
    const carried = await Promise.all([0, 2, 0, 2].map((minutes) => ticks.carry(at(minutes), [measurement])));
    expect([carried[0], carried[1]].flat()).toEqual(["m"]);
    expect(carried.slice(2)).toEqual(carried.slice(0, 2));
  });

  it("gives what a tick has left to one of two concurrent ticks", async () => {
    for (const minutes of [0, 5, 10]) await ticks.start(at(minutes), at(minutes));
    await ticks.takeOn(at(0), [1], true, at(0));
    const taken = await Promise.all([5, 10, 5, 10].map((minutes) => ticks.takeOn(at(minutes), [2, 3], true, at(10))));
    const ofFirst = taken.slice(0, 2).flatMap((shares) => shares.filter(({ tick }) => tick.getTime() === at(0).getTime()));
    expect(ofFirst).toEqual([{ tick: at(0), groups: [2, 3], carried: [] }]);
    expect(taken.slice(2)).toEqual(taken.slice(0, 2));
  });

  it("costs as much where maps were measured, however many ticks the last two hours have", async () => {
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      await ticks.start(at(minutes), at(minutes), LENGTH);
      meter.take();
      await ticks.carry(at(minutes), [{ key: String(minutes), tick: at(minutes - 1) }]);
      expect(meter.take()).toMatchObject({ reads: 3, writes: 2 });
    }
  });

  it("costs four reads and four writes per tick, and one read for a repeated tick", async () => {
    await ticks.start(at(0), at(0), LENGTH);
    await ticks.finish(at(0));
    meter.take();
    await ticks.start(at(5), at(5), LENGTH);
    await ticks.carry(at(5), []);
    await ticks.takeOn(at(5), ALL_DUE, true, at(5));
    await ticks.finish(at(5));
    await ticks.pending(at(0), 3);
    expect(meter.take()).toMatchObject({ reads: 4, writes: 4 });
    await ticks.start(at(5), at(6), LENGTH);
    expect(meter.take()).toMatchObject({ reads: 1, writes: 0 });
  });
});
