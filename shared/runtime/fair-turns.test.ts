import { describe, expect, it } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Fair turns with turns that the test takes, and the names of the requests that have begun. */
function byHand() {
  const next: (() => void)[] = [];
  const begun: string[] = [];
  const { enter } = createFairTurns((run) => next.push(run));
  const ask = (name: string): void => {
    const turn = enter(name.replace(/\d+$/, ""));
    if (turn) void turn.then(() => begun.push(name));
    else begun.push(name);
  };
  const turn = async (): Promise<string[]> => {
    begun.length = 0;
    for (const run of next.splice(0)) run();
    await Promise.resolve();
    return begun.toSorted();
  };
  return { ask, turn, begun, isIdle: () => next.length === 0 };
}

describe("a turn of the event loop", () => {
  it("begins one request of each party, and a party's requests begin in their order", async () => {
    const { ask, turn, begun, isIdle } = byHand();
    for (const name of ["flood1", "flood2", "flood3", "other1", "third1", "third2"]) ask(name);
    expect(begun).toEqual(["flood1", "other1", "third1"]);
    expect(await turn()).toEqual(["flood2", "third2"]);
    // A party without a backlog never waits for that of others.
    ask("other2");
    expect(begun).toContain("other2");
    expect(await turn()).toEqual(["flood3"]);
    expect(isIdle()).toBe(false);
    expect(await turn()).toEqual([]);
    expect(isIdle()).toBe(true);
  });

  it("begins several requests of a party with a long backlog, so that any is over in a bounded number of turns", async () => {
    const { ask, turn, isIdle } = byHand();
    for (let index = 0; index < 100_001; index++) ask(`flood${index}`);
    expect(await turn()).toHaveLength(400);
    let turns = 1;
    while (!isIdle()) {
      await turn();
      turns++;
    }
    expect(turns).toBeLessThan(2000);
  });
});
