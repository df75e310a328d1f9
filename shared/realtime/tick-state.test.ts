import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { carriedBy, isOnTime, isTooOld, missedTicks, nextAttempt, startTick, type TickState, takeOn, tickName } from "./tick-state.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const at = (minutes: number): Date => new Date(NOON + minutes * MINUTE);
const fresh = startTick(undefined, at(0), true, at(1));

describe("a tick", () => {
  it("is pending once started; a done or given up tick does not change", () => {
    expect(fresh).toMatchObject({ tick: at(0), firing: at(0), state: "owed", touchedAt: at(1), attempts: { statement: 1 } });
    expect(startTick(fresh, at(0), true, at(9))).toEqual({ ...fresh, touchedAt: at(9) });
    for (const state of ["done", "given up"] as const) {
      const finished = { ...fresh, state };
      expect(startTick(finished, at(0), true, at(9))).toBe(finished);
    }
  });

  it("has attempts that only increase", () => {
    const raised = nextAttempt(fresh, "statement", 3);
    expect(raised.attempts).toEqual({ statement: 4 });
    expect(nextAttempt(raised, "statement", 1).attempts).toEqual(raised.attempts);
  });

  it("carries the measurements that no other tick carries, no rows of ticks, and once decided no others", () => {
    const measured = (key: string, minutes: number) => ({ key, tick: at(minutes) });
    const byHand = startTick(undefined, at(-2), false, at(-2));
    const before = { ...startTick(undefined, at(-5), true, at(-5)), carried: ["a"] };
    const recent = [before, byHand, fresh];
    const carried = carriedBy(fresh, recent, [measured("a", -7), measured("b", -3), measured("by hand", -2)]);
    expect(carried).toEqual(["b"]);
    expect(carriedBy({ ...fresh, carried }, recent, [measured("b", -3), measured("c", -1)])).toEqual(["b"]);
    expect(carriedBy({ ...fresh, carried: [] }, recent, [measured("c", -1)])).toEqual([]);
  });

  it("loads its rows of the groups that are due and what others have left of these, and leaves the rest; decided once", () => {
    const groups = [0, 1, 2, 3];
    const decide = (known: TickState, others: readonly TickState[], due: number[], hasRows = true) =>
      takeOn(known, others, { due, groups, hasRows, now: at(10) });
    const { own: first } = decide(fresh, [], [1, 3]);
    expect(first).toMatchObject({ loads: [{ tick: at(0), groups: [1, 3] }], left: [0, 2], expireAt: at(10 + 30 * 24 * 60) });
    const later = startTick(undefined, at(5), true, at(6));
    const { own, others } = decide(later, [first], [0, 1]);
    expect(own).toMatchObject({
      loads: [
        { tick: at(5), groups: [0, 1] },
        { tick: at(0), groups: [0] },
      ],
      left: [2, 3],
    });
    expect(others).toEqual([{ ...first, left: [2] }]);
    expect(decide(own, others, groups)).toEqual({ own, others: [] });
    expect(decide(later, [{ ...first, left: [] }], [0], false)).toEqual({ own: later, others: [] });
    expect(decide(later, [first], [2], false)).toMatchObject({ own: { left: [] }, others: [{ left: [0] }] });
  });

  it("and those after it load each group's rows once, whatever is due when", () => {
    const groups = [0, 1, 2, 3, 4, 5];
    const plan = fc.array(fc.record({ due: fc.subarray(groups), hasRows: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(plan, (steps) => {
        const known = new Map<number, TickState>();
        for (const [index, { due, hasRows }] of [...steps, { due: groups, hasRows: true }].entries()) {
          const tick = startTick(undefined, at(5 * index), true, at(5 * index));
          const after = takeOn(tick, [...known.values()], { due, groups, hasRows, now: at(5 * index) });
          for (const one of [after.own, ...after.others]) known.set(one.tick.getTime(), one);
        }
        const shares = [...known.values()].flatMap(({ loads = [] }) => loads);
        for (const [index, { hasRows }] of steps.entries()) {
          const loaded = shares.flatMap((share) => (share.tick.getTime() === at(5 * index).getTime() ? share.groups : []));
          expect(new Set(loaded).size).toBe(loaded.length);
          if (hasRows) expect(loaded.toSorted()).toEqual(groups);
        }
      }),
      { seed: 1 },
    );
  });

  it("is too old after a day", () => {
    expect([isTooOld(fresh, at(24 * 60)), isTooOld(fresh, at(24 * 60 + 1))]).toEqual([false, true]);
  });

  it("is on time for less than two ticks", () => {
    expect([0, 9, 10].map((minutes) => isOnTime(at(0), 5 * MINUTE, at(minutes)))).toEqual([true, true, false]);
  });

  it("has a name that sorts by time, to the millisecond", () => {
    expect(tickName(new Date("2026-01-15T12:00:00.25Z"))).toBe("20260115T120000250");
  });
});

describe("the ticks between two firings", () => {
  const between = (earlier: number, tick: number) =>
    missedTicks(at(earlier), at(tick), 5 * MINUTE).map((time) => (time.getTime() - NOON) / MINUTE);

  it.each<[string, number, number, number[]]>([
    ["are none if the firings are consecutive", 0, 5, []],
    ["are those on the grid, without the firings", 0, 20, [15, 10, 5]],
    ["go back at most an hour", -300, 0, [-5, -10, -15, -20, -25, -30, -35, -40, -45, -50, -55, -60]],
    ["lie on the grid even if the earlier firing does not", 2, 15, [10, 5]],
    ["are none before the earlier firing", 10, 5, []],
  ])("%s", (_what, earlier, tick, minutes) => {
    expect(between(earlier, tick)).toEqual(minutes);
  });

  it("are at most twelve, however short the interval is", () => {
    expect(missedTicks(at(0), at(60), 10_000)).toHaveLength(12);
  });
});
