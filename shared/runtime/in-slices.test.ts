import { expect, it } from "vitest";
import { onBehalfOf } from "./fair-turns.ts";
import { inSlices } from "./in-slices.ts";

/** Work of a number of slices, which notes each and takes longer than a turn of the event loop may. */
function* work(name: string, slices: number, noted: string[]): Generator<void, string> {
  for (let slice = 1; slice <= slices; slice++) {
    for (const until = performance.now() + 3; performance.now() < until; );
    noted.push(`${name}${slice}`);
    if (slice < slices) yield;
  }
  return name;
}

it("all work shares the time of a turn of the event loop, in the order of arrival, and short work that is alone is done at once", async () => {
  const noted: string[] = [];
  let isOver = false;
  const turns = (): void => {
    noted.push("|");
    if (!isOver) setImmediate(turns);
  };
  const alone = inSlices(work("a", 1, noted));
  expect(noted).toEqual(["a1"]);
  setImmediate(turns);
  const all = Promise.all([alone, inSlices(work("b", 3, noted)), inSlices(work("c", 2, noted)), inSlices(work("d", 1, noted))]);
  expect(await all.finally(() => (isOver = true))).toEqual(["a", "b", "c", "d"]);
  // Each slice takes as long as a turn may, so none has two.
  expect(noted.join("")).toMatch(/^a1b1\|+b2\|+b3\|+c1\|+c2\|+d1\|*$/);
});

it("work that fails does not hold up other work", async () => {
  const noted: string[] = [];
  const failing = function* (): Generator<void, string> {
    yield;
    throw new Error("too much");
  };
  const both = Promise.allSettled([inSlices(failing()), inSlices(work("b", 2, noted))]);
  expect((await both).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(noted).toEqual(["b1", "b2"]);
});

it("slices of two parties alternate, however much work of one waits", async () => {
  const noted: string[] = [];
  const flood = () => ["a", "b", "c"].map((name) => inSlices(work(name, 3, noted)));
  const light = () => inSlices(work("z", 3, noted));
  await Promise.all([...onBehalfOf("flood", flood), onBehalfOf("light", light)]);
  expect(noted.join("")).toBe("a1z1a2z2a3z3b1b2b3c1c2c3");
});
