import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CarriedTicks, decideCarried, unknownAfter } from "./carried-ticks.ts";
import { CARRY_WITHIN_MS, carriedBy, startTick, type TickState } from "./tick-state.ts";

const MINUTE = 60_000;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12) + minutes * MINUTE);
const tickAt = (minutes: number, carried?: readonly string[]): TickState => ({
  ...startTick(undefined, at(minutes), true, at(minutes)),
  ...(carried ? { carried } : {}),
});

describe("what ticks carry", () => {
  it("is the same as from all ticks of two hours, in any order of ticks that start and decide", () => {
    const minute = fc.nat({ max: 400 });
    const decision = fc.record({ tick: minute, starts: fc.array(minute, { maxLength: 3 }), measured: fc.array(minute, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 30 }), (decisions) => {
        const ticks = new Map<number, TickState>();
        let known: CarriedTicks | undefined;
        for (const { tick, starts, measured } of decisions) {
          // A tick that is decided later than it starts lies before those that are known.
          for (const minutes of [tick, ...starts]) if (!ticks.has(minutes)) ticks.set(minutes, tickAt(minutes));
          const own = ticks.get(tick) ?? tickAt(tick);
          const within = measured.filter((minutes) => minutes < tick && at(minutes).getTime() > at(tick).getTime() - CARRY_WITHIN_MS);
          if (own.carried || within.length === 0) continue;
          // Rows of ticks on the schedule never count as measurements.
          const measurements = within
            .filter((minutes) => !ticks.has(minutes))
            .map((minutes) => ({ key: `m${minutes}`, tick: at(minutes) }));
          const ticksAfter = (since: Date) => [...ticks.values()].filter((one) => one.tick > since);
          const all = carriedBy(own, ticksAfter(new Date(own.tick.getTime() - CARRY_WITHIN_MS)), measurements);
          const decided = decideCarried(own, known, ticksAfter(unknownAfter(known, own.tick)), measurements);
          expect(decided.carried).toEqual(all);
          known = decided.after;
          ticks.set(tick, { ...own, carried: decided.carried });
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is known for two hours, after which a tick needs only those that came since", () => {
    const first = decideCarried(tickAt(0), undefined, [tickAt(-5, ["a"]), tickAt(0)], [{ key: "b", tick: at(-1) }]);
    expect(first).toEqual({
      carried: ["b"],
      after: {
        since: at(-120),
        latest: at(0),
        ticks: [
          { tick: at(-5), carried: ["a"] },
          { tick: at(0), carried: ["b"] },
        ],
      },
    });
    expect([5, 0, -5, 121].map((minutes) => unknownAfter(first.after, at(minutes)))).toEqual([at(0), at(0), at(-125), at(1)]);
    const { after } = decideCarried(tickAt(116), first.after, [tickAt(116)], [{ key: "c", tick: at(115) }]);
    expect(after).toEqual({
      since: at(-4),
      latest: at(116),
      ticks: [
        { tick: at(0), carried: ["b"] },
        { tick: at(116), carried: ["c"] },
      ],
    });
  });
});
