import { describe, expect, it } from "vitest";
import type { JobMessage } from "../jobs/job-message.ts";
import { type JobPath, jobId, openJobPath, type Step } from "./testing/job-path.ts";
import { warehouseJobIds } from "./warehouse-job-ids.ts";

const MINUTE_MS = 60_000;
const BATCH = 2;

/** Takes what was queued or published. What a test does not deliver is lost. */
function take({ sent }: JobPath): JobMessage[] {
  return sent.splice(0).map(({ message }) => message);
}

/** Delivers what was queued or published, until nothing is left. */
async function deliverAll(path: JobPath): Promise<void> {
  for (let messages = take(path); messages.length > 0; messages = take(path)) await Promise.all(messages.map((one) => path.deliver(one)));
}

function statuses({ stored }: JobPath): string[] {
  return stored.all().map(({ status }) => status);
}

/** Returns a step whose first call of a port's method fails before its effect. */
function failsOnce(method: string): Step {
  let hasFailed = false;
  return async (name, effect) => {
    if (name === method && !hasFailed) {
      hasFailed = true;
      throw new Error(`${name} failed`);
    }
    return effect();
  };
}

describe("a job past its deadline", () => {
  it("fails and is stopped in the warehouse, and its slot goes to the next job, whose deadline counts from then", async () => {
    const manner = { neverEnds: 1 };
    const path = openJobPath({ runningMax: { acme: 1 }, batch: BATCH, manner, step: failsOnce("warehouse.wait") });
    await path.submit("acme", true);
    await expect(Promise.all(take(path).map((one) => path.deliver(one)))).rejects.toThrow("warehouse.wait failed");
    await path.submit("acme", false);
    const summary = () => path.queries.get(warehouseJobIds({ id: jobId(1), attempt: 1 }).summary);
    expect(summary()).toMatchObject({ endAt: Number.POSITIVE_INFINITY });
    await path.advance(6 * 60 * MINUTE_MS);
    await path.sweep();
    expect(path.stored.get(jobId(1))).toMatchObject({ status: "failed", error: expect.stringContaining("six hours") });
    expect(summary()).toMatchObject({ endAt: path.now().getTime(), end: "stopped" });
    manner.neverEnds = 0;
    await deliverAll(path);
    expect(statuses(path)).toEqual(["failed", "completed"]);
  });
});

describe("a lost delivery", () => {
  it("that the queue took is republished after five minutes, and then gets its time before the next publication", async () => {
    const path = openJobPath({ runningMax: { acme: 1 }, batch: BATCH });
    await path.submit("acme", false);
    const lost = take(path);
    await path.advance(4 * MINUTE_MS);
    await path.sweep();
    expect(path.sent).toEqual([]);
    await path.advance(MINUTE_MS);
    await path.sweep();
    expect(path.sent).toEqual(lost.map((message) => ({ message, at: undefined })));
    expect(path.stored.get(jobId(1))?.touchedAt).toEqual(path.now());
    await path.sweep();
    expect(path.sent).toHaveLength(1);
    await deliverAll(path);
    expect(statuses(path)).toEqual(["completed"]);
  });

  it("that never reached the queue is enqueued again after a minute", async () => {
    const path = openJobPath({ runningMax: { acme: 1 }, batch: BATCH, step: failsOnce("queue.enqueue") });
    await path.submit("acme", false);
    await path.advance(MINUTE_MS - 1);
    await path.sweep();
    expect(path.sent).toEqual([]);
    await path.advance(1);
    await path.sweep();
    expect(path.sent).toHaveLength(1);
  });

  it("is sent again however many jobs have waited longer for a slot", async () => {
    const path = openJobPath({ runningMax: { acme: 0, globex: 1 }, batch: BATCH });
    for (let job = 0; job < 8; job++) await path.submit("acme", false);
    await path.advance(1);
    await path.submit("globex", false);
    take(path);
    await path.advance(5 * MINUTE_MS);
    await path.sweep();
    await deliverAll(path);
    expect(statuses(path).at(-1)).toBe("completed");
  });
});

describe("free slots", () => {
  it("all go to waiting jobs, the oldest first, in one sweep", async () => {
    const runningMax = { acme: 0 };
    const path = openJobPath({ runningMax, batch: BATCH });
    for (let job = 0; job < 4; job++) {
      await path.advance(1);
      await path.submit("acme", false);
    }
    runningMax.acme = 3;
    await path.sweep();
    expect(path.stored.all().map(({ placed }) => placed)).toEqual([true, true, true, false]);
  });
});

describe("a sweep", () => {
  it("does all other chores when one list fails, and then throws", async () => {
    const path = openJobPath({ runningMax: { acme: 1 }, batch: BATCH, step: failsOnce("jobs.overdue") });
    await path.submit("acme", false);
    take(path);
    await path.advance(5 * MINUTE_MS);
    await expect(path.sweep()).rejects.toThrow("jobs.overdue failed");
    await deliverAll(path);
    expect(statuses(path)).toEqual(["completed"]);
  });
});
