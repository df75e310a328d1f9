import { describe, expect, it } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Fair turns whose loop and clock the test moves, and what has run. */
function byHand() {
  const next: (() => void)[] = [];
  const ran: string[] = [];
  let time = 0;
  const timers: { readonly at: number; readonly run: () => void }[] = [];
  const turns = createFairTurns({
    nextTurn: (run) => next.push(run),
    later: (milliseconds, run) => timers.push({ at: time + milliseconds, run }),
    now: () => time,
  });
  return {
    ...turns,
    ran,
    /** Enters requests that are called like their party, with a number. */
    ask: (...names: readonly string[]): void => {
      for (const name of names) {
        const turn = turns.enter(partyOf(name));
        if (turn) void turn.then(() => ran.push(name));
        else ran.push(name);
      }
    },
    /** Gives long work to a party; each slice takes some milliseconds. */
    give: (name: string, slices: number, milliseconds = 1): void => {
      let left = slices;
      turns.work(partyOf(name), () => {
        time += milliseconds;
        ran.push(`${name}.${left}`);
        return --left === 0;
      });
    },
    /** Takes a turn in which other things took some milliseconds, and returns what ran. */
    turn: async (milliseconds = 0): Promise<string[]> => {
      ran.length = 0;
      time += milliseconds;
      for (const timer of timers.splice(0)) {
        if (timer.at <= time) timer.run();
        else timers.push(timer);
      }
      for (const run of next.splice(0)) run();
      await Promise.resolve();
      return ran.toSorted();
    },
    isIdle: () => next.length === 0 && timers.length === 0,
  };
}

function partyOf(name: string): string {
  return name.replace(/\d+$/, "");
}

describe("a turn of the event loop", () => {
  it("begins one request of each party, 2 ms after the former if there are several, and a party's requests begin in their order", async () => {
    const { ask, turn, ran, isIdle } = byHand();
    ask("flood1", "flood2", "flood3", "other1", "third1", "third2");
    expect(ran).toEqual(["flood1", "other1", "third1"]);
    expect(await turn(1)).toEqual([]);
    expect(await turn(2)).toEqual(["flood2", "third2"]);
    // A party without a backlog never waits for that of others.
    ask("other2");
    expect(ran).toContain("other2");
    expect(await turn(2)).toEqual(["flood3"]);
    expect(isIdle()).toBe(false);
    expect(await turn(2)).toEqual([]);
    expect(isIdle()).toBe(true);
  });

  it("begins several requests of a party with a long backlog, so that any is over in a bounded number of turns", async () => {
    const { ask, turn, isIdle } = byHand();
    ask(...Array.from({ length: 20_001 }, (_, index) => `flood${index}`));
    expect(await turn()).toHaveLength(80);
    let turns = 1;
    for (; !isIdle(); turns++) await turn();
    expect(turns).toBeLessThan(1500);
  });

  it("runs slices of the parties' long work alternately, and one work of a party after the other", async () => {
    const { give, hasWork, turn, isIdle } = byHand();
    give("a1", 2);
    give("a2", 1);
    give("b1", 2);
    expect([hasWork("a"), hasWork("c")]).toEqual([true, false]);
    const ran: string[] = [];
    while (!isIdle()) ran.push(...(await turn()));
    expect(ran).toEqual(["a1.2", "b1.2", "a1.1", "b1.1", "a2.1"]);
    expect(hasWork("a")).toBe(false);
  });

  it("runs slices for a quarter of a millisecond", async () => {
    const { give, turn } = byHand();
    give("a1", 10, 0.1);
    expect(await turn()).toEqual(["a1.10", "a1.8", "a1.9"]);
  });
});

describe("while requests of several parties are in progress", () => {
  it("long work runs in turns in which nothing else has arrived, or after 4 ms", async () => {
    const { ask, give, leave, turn } = byHand();
    await turn();
    ask("flood1", "other1");
    give("flood1", 100);
    await turn(10);
    ask("flood2", "flood3");
    expect([await turn(1), await turn(2)]).toEqual([[], ["flood3"]]);
    expect(await turn(1)).toEqual(["flood1.99"]);
    expect([await turn(1), await turn(0)]).toEqual([[], ["flood1.98"]]);
    // A second after the last request of another one, a party has all turns, however much arrives for it.
    leave("other");
    expect([await turn(1), await turn(1)]).toEqual([[], []]);
    await turn(1000);
    expect([await turn(1), await turn(1)]).toEqual([["flood1.96"], ["flood1.95"]]);
  });

  it("requests of a party begin 2 ms apart on average, whether or not the timers are late", async () => {
    const { ask, turn } = byHand();
    ask("other1", ...Array.from({ length: 21 }, (_, index) => `flood${index}`));
    await turn(2);
    expect([await turn(3), await turn(3), await turn(2)].map((ran) => ran.length)).toEqual([1, 2, 1]);
    // After a long turn no burst follows.
    expect([await turn(100), await turn(2)].map((ran) => ran.length)).toEqual([3, 1]);
  });

  it("a flood is still paced for a second after a request of another party has ended", async () => {
    const { ask, leave, turn } = byHand();
    await turn(5000);
    ask("other1", "flood1", "flood2", "flood3", "flood4");
    leave("other");
    expect([await turn(2), await turn(1), await turn(1)].map((ran) => ran.length)).toEqual([1, 0, 1]);
    expect(await turn(1000)).toEqual(["flood4"]);
  });
});
