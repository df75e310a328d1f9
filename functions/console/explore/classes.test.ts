import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Classing, classBounds, classOf } from "./classes.ts";

const values = fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 300 });
const classing = fc.constantFrom<Classing>("quantile", "equal");

describe("classes of values", () => {
  it("begin with the smallest value, rise, and hold every value", () => {
    fc.assert(
      fc.property(values, classing, fc.integer({ min: 1, max: 9 }), (list, how, count) => {
        const bounds = classBounds(list, count, how);
        expect(bounds[0]).toBe(Math.min(...list));
        expect(bounds.length).toBeLessThanOrEqual(count);
        bounds.slice(1).forEach((bound, index) => {
          expect(bound).toBeGreaterThan(bounds[index] ?? Infinity);
        });
        for (const value of list) {
          const index = classOf(value, bounds);
          expect(value).toBeGreaterThanOrEqual(bounds[index] ?? Infinity);
          expect(value).toBeLessThan(bounds[index + 1] ?? Infinity);
        }
      }),
      { seed: 1 },
    );
  });

  it("have as many values each if they are quantiles of distinct values", () => {
    const list = Array.from({ length: 60 }, (_, index) => index * index);
    const bounds = classBounds(list, 6, "quantile");
    const sizes = bounds.map((_, wanted) => list.filter((value) => classOf(value, bounds) === wanted).length);
    expect(sizes).toEqual([10, 10, 10, 10, 10, 10]);
  });

  it("are none without values", () => {
    expect(classBounds([], 5, "equal")).toEqual([]);
  });
});
