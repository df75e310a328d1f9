import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CommitClock, toMicros, toWire } from "./time.ts";

describe("the clock", () => {
  it("gives each commit a later time than any earlier read or commit", () => {
    const step = fc.record({ now: fc.integer({ min: 0, max: 3 }), commits: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let now = 0;
        const clock = new CommitClock(() => now);
        let last = 0;
        for (const { now: next, commits } of steps) {
          now = next;
          const time = commits ? clock.tick() : clock.readTime();
          expect(time).toBeGreaterThanOrEqual(commits ? last + 1 : last);
          last = time;
        }
      }),
      { seed: 1 },
    );
  });
});

describe("a time on the wire", () => {
  it("round-trips to the microsecond, also before 1970", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000_000, max: 8_000_000_000_000_000 }), (micros) => {
        const wire = toWire(micros);
        expect(toMicros(wire)).toBe(micros);
        expect(wire.nanos).toBeGreaterThanOrEqual(0);
        expect(wire.nanos).toBeLessThan(1_000_000_000);
      }),
      { seed: 1 },
    );
  });
});
