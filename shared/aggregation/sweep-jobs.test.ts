import { describe, expect, it } from "vitest";
import { warehouseJobIds } from "./clean-up.ts";
import { type JobPath, openJobPath } from "./testing/job-path.ts";

const MINUTE_MS = 60_000;
const LOST = 900;
/** The decisions of a submission whose only message is lost: the store, the queue, the message. */
const SUBMITTED_AND_LOST = [0, 0, LOST];
/** A delivery that dies while the warehouse works: it begins, starts the summary (running twice), waits, and is not redelivered. */
const DIED_AT_WORK = [0, 0, 0, 0, 0, 2, 980, LOST];

function pathOf(decisions: readonly number[], runningMax: Readonly<Record<string, number>> = { acme: 1 }): JobPath {
  return openJobPath({ decisions, runningMax, batch: 2 });
}

function statuses({ jobs }: JobPath): string[] {
  return jobs.all().map(({ status }) => status);
}

describe("a job past its deadline", () => {
  it("fails and is stopped in the warehouse, and its slot goes to the next job, whose deadline counts from then", async () => {
    const path = pathOf(DIED_AT_WORK);
    await path.round([() => path.submit("acme", true)]);
    await path.round([]);
    await path.round([() => path.submit("acme", false)]);
    const [job] = path.jobs.all();
    if (!job) throw new Error("a job was submitted");
    expect(path.store.jobs.get(warehouseJobIds(job).summary)).toMatchObject({ runs: 2 });
    path.advance(6 * 60 * MINUTE_MS);
    await path.round([path.sweep]);
    expect(path.jobs.all()[0]).toMatchObject({ status: "failed", error: expect.stringContaining("six hours") });
    expect(path.store.jobs.get(warehouseJobIds(job).summary)).toMatchObject({ runs: 0, isStopped: true });
    await path.round([]);
    expect(statuses(path)).toEqual(["failed", "completed"]);
  });
});

describe("a lost delivery", () => {
  it("that the queue took is republished after five minutes, and then gets its time before the next publication", async () => {
    const path = pathOf([...SUBMITTED_AND_LOST]);
    await path.round([() => path.submit("acme", false)]);
    const sweepAfter = async (minutes: number) => {
      path.advance(minutes * MINUTE_MS);
      await path.round([path.sweep]);
      return path.nextAt() !== undefined;
    };
    expect(await sweepAfter(4)).toBe(false);
    expect(await sweepAfter(1)).toBe(true);
    expect(path.jobs.all()[0]?.touchedAt).toEqual(path.now());
    await path.round([path.sweep]);
    expect(path.nextAt()).toBeUndefined();
    expect(statuses(path)).toEqual(["completed"]);
  });

  it("that never reached the queue is enqueued again after a minute", async () => {
    const path = pathOf([0, 980]);
    await path.round([() => path.submit("acme", false)]);
    path.advance(MINUTE_MS - 1);
    await path.round([path.sweep]);
    expect(path.nextAt()).toBeUndefined();
    path.advance(1);
    await path.round([path.sweep]);
    expect(path.nextAt()).toBeDefined();
  });

  it("is sent again however many jobs have waited longer for a slot", async () => {
    const path = pathOf([...Array.from({ length: 8 }, () => 0), ...SUBMITTED_AND_LOST], { acme: 0, globex: 1 });
    for (let job = 0; job < 8; job++) await path.round([() => path.submit("acme", false)]);
    path.advance(1);
    await path.round([() => path.submit("globex", false)]);
    path.advance(5 * MINUTE_MS);
    await path.round([path.sweep]);
    await path.round([]);
    expect(statuses(path).at(-1)).toBe("completed");
  });
});

describe("free slots", () => {
  it("all go to waiting jobs, the oldest first, in one sweep", async () => {
    const runningMax = { acme: 0 };
    const path = pathOf([], runningMax);
    for (let job = 0; job < 4; job++) {
      path.advance(1);
      await path.round([() => path.submit("acme", false)]);
    }
    runningMax.acme = 3;
    await path.round([path.sweep]);
    expect(path.jobs.all().map(({ placed }) => placed)).toEqual([true, true, true, false]);
  });
});

describe("a sweep", () => {
  it("does all other chores when one list fails, and then throws", async () => {
    // The submission loses its message. Then the list of overdue jobs fails, which is the first call of a sweep.
    const path = pathOf([...SUBMITTED_AND_LOST, 980]);
    await path.round([() => path.submit("acme", false)]);
    path.advance(5 * MINUTE_MS);
    const errors: unknown[] = [];
    await path.round([() => path.sweep().catch((error: unknown) => void errors.push(error))]);
    expect(errors).toMatchObject([{ message: "jobs.overdue failed before its effect" }]);
    await path.round([]);
    expect(statuses(path)).toEqual(["completed"]);
  });
});
