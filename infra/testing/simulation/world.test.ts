import { describe, expect, it } from "vitest";
import { CALM, type FaultRates } from "./faults.ts";
import { describeTrace } from "./trace.ts";
import { World } from "./world.ts";

const START = new Date("2026-11-20T00:00:00Z");
const LIFE_MS = 60_000;

function worldOf(rates: Partial<FaultRates> = {}, seed = 1): World {
  const world = new World({ seed, start: START, isTraced: true, turnsMax: 1000 });
  world.rates = { ...CALM, ...rates };
  return world;
}

/** Runs one process that makes one call, and returns the lines that it reaches. */
async function callOnce(rates: Partial<FaultRates>, kill?: (world: World) => void): Promise<string[]> {
  const world = worldOf(rates);
  const seen: string[] = [];
  world.start(
    "one",
    async ({ step }) => {
      try {
        await step("call", () => seen.push("effect"));
        seen.push("after");
      } catch {
        seen.push("catch");
      } finally {
        seen.push("finally");
      }
    },
    LIFE_MS,
    (ending) => seen.push(ending),
  );
  kill?.(world);
  await world.run();
  return seen;
}

describe("a call", () => {
  it.each<[string, Partial<FaultRates>, string[]]>([
    ["succeeds", {}, ["effect", "after", "finally", "done"]],
    ["fails before its effect", { failsBefore: 1 }, ["catch", "finally", "done"]],
    ["fails after its effect", { failsAfter: 1 }, ["effect", "catch", "finally", "done"]],
    ["kills its process before its effect: no more of its code runs", { diesBefore: 1 }, ["killed"]],
    ["kills its process after its effect: no more of its code runs", { diesAfter: 1 }, ["effect", "killed"]],
  ])("%s", async (_fate, rates, seen) => {
    expect(await callOnce(rates)).toEqual(seen);
  });

  it("that is repeated has its effect twice, and the second result counts", async () => {
    const world = worldOf({ repeated: 1 });
    let effects = 0;
    let result = 0;
    world.start(
      "one",
      async ({ step }) => {
        result = await step("call", () => ++effects, { mayRepeat: true });
      },
      LIFE_MS,
    );
    await world.run();
    expect({ effects, result }).toEqual({ effects: 2, result: 2 });
  });

  it("of a process that dies either arrives or not, and its result is dropped", async () => {
    const ends = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const world = worldOf({}, seed);
      const seen: string[] = [];
      world.start("one", async ({ step }) => void (await step("call", () => seen.push("effect")).then(() => seen.push("after"))), LIFE_MS);
      world.killAll();
      await world.run();
      ends.add(seen.join());
    }
    expect([...ends].sort()).toEqual(["", "effect"]);
  });

  it("that takes longer than its process may live kills the process", async () => {
    const world = worldOf();
    const endings: string[] = [];
    const body = async (one: { step: (what: string, effect: () => void, manner: { notBefore: number }) => Promise<void> }) =>
      one.step("wait", () => undefined, { notBefore: START.getTime() + LIFE_MS + 1 });
    world.start("one", body, LIFE_MS, (ending) => endings.push(ending));
    await world.run();
    expect(endings).toEqual(["killed"]);
  });
});

/** Runs three processes with two calls each, and returns the order of the calls. */
async function raced(seed: number): Promise<{ readonly order: string; readonly trace: string }> {
  const world = worldOf({ usualMs: 0 }, seed);
  const calls: string[] = [];
  for (const name of ["a", "b", "c"])
    world.start(
      name,
      async ({ step }) => {
        await step("first", () => calls.push(`${name}1`));
        await step("second", () => calls.push(`${name}2`));
      },
      LIFE_MS,
    );
  await world.run();
  return { order: calls.join(" "), trace: describeTrace(world.trace) };
}

describe("a seed", () => {
  it("produces the same trace each time", async () => {
    expect(await raced(7)).toEqual(await raced(7));
  });

  it("decides the order of calls: a hundred seeds produce every order of three calls", async () => {
    const orders = await Promise.all(Array.from({ length: 100 }, async (_, seed) => (await raced(seed)).order.replaceAll(/. ?2 ?/g, "")));
    expect(new Set(orders.map((order) => order.replaceAll(/[^abc]/g, "").slice(0, 3))).size).toBeGreaterThanOrEqual(6);
  });
});

it("ends a run at the first violation; an endless run is a violation", async () => {
  const world = worldOf();
  const again = (): void => world.at(world.time + 1, again);
  again();
  await world.run();
  expect(world.violation).toEqual({ invariant: "comes to rest", message: "it took more than 1000 turns" });
});
