import { describe, expect, it } from "vitest";
import type { AreaRules } from "../area-rules.ts";
import { leastAssignment } from "../assignment.ts";
import type { Place } from "../places.ts";
import { drawnTraces, exactCounts, publishedCounts, recoverTrajectories, type TownCell } from "./trajectories.ts";

const RULES: AreaRules = { k: 5, step: 20, peoplePerDevice: 4, finestLevel: 0, isProtected: false, isStrict: false };
/** Sixteen cells in a square of a kilometre. */
const CELLS: readonly TownCell[] = Array.from({ length: 16 }, (_, index) => ({
  ...{ id: `0/${index}`, east: 250 * (index % 4), north: 250 * Math.floor(index / 4) },
  ...{ night: 1 + (index % 5), noon: 1 + ((index * 7) % 11) },
}));
const PLACES = new Map(CELLS.map(({ id }): [string, Place] => [id, { id, level: 0, around: [id], parts: 0, straddles: false }]));

describe("an assignment", () => {
  it("has the least cost of all, and each column once", () => {
    const costs = [
      [4, 1, 3],
      [2, 0, 5],
      [3, 2, 2],
    ];
    expect(leastAssignment(3, (row, column) => costs[row]?.[column] ?? Number.NaN)).toEqual([1, 0, 2]);
    expect(leastAssignment(4, (row, column) => (row + column) % 4)).toEqual([0, 3, 2, 1]);
    expect(leastAssignment(0, () => 0)).toEqual([]);
  });
});

describe("trajectories", () => {
  it("of few people in many cells are recovered from exact counts, far better than by chance", () => {
    const traces = drawnTraces(CELLS, 12, 3, 1);
    const { accuracy, followed, singledOut, chance } = recoverTrajectories(CELLS, traces, exactCounts(CELLS, traces), {
      k: RULES.k,
      seed: 2,
    });
    expect(accuracy).toBeGreaterThan(0.65);
    expect(accuracy).toBeGreaterThan(3 * chance);
    expect(followed).toBeGreaterThan(0);
    expect(singledOut).toBe(followed);
  });

  it("of people who are nowhere k at once are not recovered from what is published: it has no row of them", () => {
    const traces = drawnTraces(CELLS, 12, 3, 1);
    const published = publishedCounts(PLACES, RULES, CELLS, traces);
    const told = Array.from({ length: 72 }, (_, hour) => published(hour).reduce((sum, count) => sum + count, 0));
    expect(Math.max(...told)).toBeLessThan(12);
    const exact = recoverTrajectories(CELLS, traces, exactCounts(CELLS, traces), { k: RULES.k, seed: 2 });
    const found = recoverTrajectories(CELLS, traces, published, { k: RULES.k, seed: 2 });
    expect(found.accuracy).toBeLessThan(exact.accuracy / 3);
    expect(found.followed).toBe(0);
  });
});
