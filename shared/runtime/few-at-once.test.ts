import { describe, expect, it } from "vitest";
import { createFewAtOnce } from "./few-at-once.ts";

/** Returns what gives turns, so many at a time, and the names of those that have begun, in order. */
function turns(most: number) {
  const give = createFewAtOnce(most);
  const begun: string[] = [];
  const enter = (party: string, name: string) => {
    const turn = give(party);
    void turn.begun.then(() => begun.push(name));
    return turn;
  };
  const settled = async () => {
    await new Promise(setImmediate);
    return [...begun];
  };
  return { enter, settled };
}

describe("turns", () => {
  it("begin so many at a time, each as one ends", async () => {
    const { enter, settled } = turns(2);
    const [first, second] = ["a1", "a2", "a3", "a4"].map((name) => enter("a", name));
    expect(await settled()).toEqual(["a1", "a2"]);
    second?.end();
    expect(await settled()).toEqual(["a1", "a2", "a3"]);
    first?.end();
    expect(await settled()).toEqual(["a1", "a2", "a3", "a4"]);
  });

  it("go to waiting parties in rotation, however many one waits for", async () => {
    const { enter, settled } = turns(1);
    const given = [
      ...["a1", "a2", "a3"].map((name) => enter("a", name)),
      ...["b1", "b2"].map((name) => enter("b", name)),
      enter("c", "c1"),
    ];
    for (let ended = 0; ended < given.length; ended++) {
      const order = await settled();
      expect(order).toHaveLength(ended + 1);
      given[["a1", "a2", "a3", "b1", "b2", "c1"].indexOf(order.at(-1) ?? "")]?.end();
    }
    expect(await settled()).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  it("that end before they begin take no place, and none counts twice", async () => {
    const { enter, settled } = turns(1);
    const [first, second, third] = ["a1", "a2", "a3"].map((name) => enter("a", name));
    const other = enter("b", "b1");
    second?.end();
    other.end();
    first?.end();
    first?.end();
    expect(await settled()).toEqual(["a1", "a3"]);
    const last = enter("a", "a4");
    expect(await settled()).toEqual(["a1", "a3"]);
    third?.end();
    third?.end();
    enter("b", "b2");
    expect(await settled()).toEqual(["a1", "a3", "a4"]);
    last.end();
    expect(await settled()).toEqual(["a1", "a3", "a4", "b2"]);
  });
});
