import { describe, expect, it } from "vitest";
import { createInTurn } from "./in-turn.ts";
import { TimedOut } from "./with-timeout.ts";

/** A task that the test ends, and that records its start and end. */
function taskOf(name: string, events: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const started = Promise.withResolvers<void>();
  const run = async (): Promise<string> => {
    events.push(`${name} starts`);
    started.resolve();
    return promise.finally(() => events.push(`${name} ends`));
  };
  return { run, started: started.promise, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

describe("tasks of one key", () => {
  it("run one at a time in their order, also after one that fails", async () => {
    const events: string[] = [];
    const inTurn = createInTurn(1000);
    const tasks = ["a", "b", "c"].map((name) => taskOf(name, events));
    const results = tasks.map(({ run }) => inTurn("key", run));
    tasks[2]?.end();
    tasks[0]?.end();
    await results[0];
    tasks[1]?.fail();
    expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(events).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
  });

  it("do not run once they have waited too long, and let later ones run", async () => {
    const events: string[] = [];
    let time = 0;
    const inTurn = createInTurn(1000, () => time);
    const [first, late, next] = ["first", "late", "next"].map((name) => taskOf(name, events));
    if (!first || !late || !next) throw new Error("three tasks were made");
    const running = inTurn("key", first.run);
    await first.started;
    const waiting = inTurn("key", late.run);
    time = 1001;
    const fresh = inTurn("key", next.run);
    first.end();
    next.end();
    const outcomes = await Promise.allSettled([running, waiting, fresh]);
    expect(outcomes).toMatchObject([{ value: "first" }, { reason: expect.any(TimedOut) }, { value: "next" }]);
    expect(events).toEqual(["first starts", "first ends", "next starts", "next ends"]);
  });
});

it("tasks of different keys do not wait for each other", async () => {
  const events: string[] = [];
  const inTurn = createInTurn(1000);
  const [one, two] = [taskOf("one", events), taskOf("two", events)];
  const waiting = inTurn("1", one.run);
  two.end();
  expect(await inTurn("2", two.run)).toBe("two");
  one.end();
  expect(await waiting).toBe("one");
});
