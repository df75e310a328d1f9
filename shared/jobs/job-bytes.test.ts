import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOn } from "../budgets/day-bytes.ts";
import { bytesOf, dayAfter, released, reservation, settled } from "./job-bytes.ts";

const NOON = new Date("2026-11-20T12:00:00Z");
const NEXT_NOON = new Date("2026-11-21T12:00:00Z");

describe("the bytes of a job", () => {
  it("are what it reserves, then what it was billed", () => {
    const job = { bytes: reservation(NOON, 1000) };
    expect(bytesOf(job)).toBe(1000);
    const retried = settled(job, 300, false);
    expect(retried && bytesOf(retried)).toBe(1300);
    const over = retried && settled(retried, 700, true);
    expect(over).toEqual({ bytes: { date: "2026-11-20", reserved: 0, billed: 700 } });
    expect(over && settled(over, 700, true)).toBeUndefined();
  });

  it("never fall below an earlier bill: the warehouse may have forgotten a query", () => {
    expect(settled({ bytes: { date: "2026-11-20", reserved: 5, billed: 700 } }, 0, true)?.bytes).toMatchObject({
      reserved: 0,
      billed: 700,
    });
  });

  it("of a job stored before bytes were counted are none", () => {
    expect([bytesOf({ bytes: null }), released(null), settled({ bytes: null }, 700, true)]).toEqual([0, null, undefined]);
    expect(dayAfter(undefined, undefined, { bytes: null })).toBeUndefined();
  });
});

describe("a customer's day", () => {
  it("begins with the first job of a UTC day, and what happens to jobs of earlier days does not change it", () => {
    const yesterday = { bytes: reservation(NOON, 1000) };
    const first = dayAfter(undefined, undefined, yesterday);
    const today = dayAfter(first, undefined, { bytes: reservation(NEXT_NOON, 70) });
    expect([first, today]).toEqual([
      { date: "2026-11-20", bytes: 1000 },
      { date: "2026-11-21", bytes: 70 },
    ]);
    expect(dayAfter(today, yesterday, settled(yesterday, 5000, true) ?? yesterday)).toEqual(today);
    expect([bytesOn(today, NOON), bytesOn(today, NEXT_NOON)]).toEqual([0, 70]);
  });

  it("is the sum of its jobs, whatever happens to them in whatever order", () => {
    const change = fc.record({ job: fc.nat(4), billed: fc.nat(3000), isOver: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.nat(2000), { minLength: 5, maxLength: 5 }), fc.array(change, { maxLength: 30 }), (reserved, changes) => {
        const jobs = reserved.map((bytes) => ({ bytes: reservation(NOON, bytes) }));
        let day = jobs.reduce<ReturnType<typeof dayAfter>>((before, job) => dayAfter(before, undefined, job), undefined);
        for (const { job: index, billed, isOver } of changes) {
          const before = jobs[index];
          const after = before && settled(before, billed, isOver);
          if (!after) continue;
          day = dayAfter(day, before, after);
          jobs[index] = after;
        }
        expect(day?.bytes).toBe(jobs.reduce((sum, job) => sum + bytesOf(job), 0));
      }),
      { seed: 1 },
    );
  });
});
