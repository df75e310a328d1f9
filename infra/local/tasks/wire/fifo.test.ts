import fc from "fast-check";
import { expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

it("a queue returns every item once, in insertion order, for any mix of pushes and shifts", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant("push"), fc.constant("shift")), { maxLength: 1000 }), (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const [index, step] of steps.entries()) {
        if (step === "push") {
          fifo.push(index);
          model.push(index);
        } else {
          expect(fifo.peek()).toBe(model[0]);
          expect(fifo.shift()).toBe(model.shift());
        }
      }
      expect(model.map(() => fifo.shift())).toEqual(model);
      expect(fifo.shift()).toBeUndefined();
    }),
    { seed: 1 },
  );
});
