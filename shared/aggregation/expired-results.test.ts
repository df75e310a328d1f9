import { expect, it } from "vitest";
import { begin, complete, JOB_IDLE_MS, RETENTION_MS } from "../jobs/job-state.ts";
import { sweepJobs } from "./sweep-jobs.ts";
import type { Step } from "./testing/chance.ts";
import { newOdmJob } from "./testing/job-path.ts";
import { memoryJobs } from "./testing/memory-jobs.ts";
import { memoryMessages } from "./testing/memory-messages.ts";
import { memoryWarehouse } from "./testing/memory-warehouse.ts";

const START = new Date("2026-11-20T00:00:00Z");
const FIRST = { attempt: 1, step: 0 };
const FOLDER = "results/acme/job/odm_daily_trips/";

it("stops serving an export before its files are removed, and a sweep that dies meanwhile leaves nothing for good", async () => {
  const plain: Step = async (_name, effect) => effect();
  const jobs = memoryJobs({ acme: 1 }, plain);
  /** The job's state at each removal of its files. */
  const seen: unknown[] = [];
  const step: Step = async (name, effect) => {
    if (name !== "remove") return effect();
    const job = await jobs.get("job");
    seen.push({ status: job?.status, result: job?.result });
    if (seen.length === 1) throw new Error("the process died");
    return effect();
  };
  const { warehouse, exports, files } = memoryWarehouse(step, () => 0);
  const { queue, topic } = memoryMessages(plain, () => 0);
  await jobs.submit("acme", START, (placed) => newOdmJob("job", "acme", true, placed, START));
  await jobs.update("job", (job) => begin(job, FIRST, START));
  await jobs.transition({ id: "job", uid: "acme" }, (job) => complete(job, FIRST, START), START);
  for (const name of ["manifest.json", "part-1-000.csv.gz"]) await exports.writeJson(FOLDER + name, {});
  const sweepAt = (milliseconds: number) => {
    const now = new Date(START.getTime() + milliseconds);
    return sweepJobs({ jobs, queue, topic, warehouse, exports, batch: 10, now: () => now, log: () => undefined });
  };

  await sweepAt(RETENTION_MS - 1);
  expect([(await jobs.get("job"))?.status, files.size]).toEqual(["completed", 2]);
  await sweepAt(RETENTION_MS);
  expect([(await jobs.get("job"))?.status, files.size]).toEqual(["expired", 2]);
  await sweepAt(RETENTION_MS + JOB_IDLE_MS);
  expect([(await jobs.get("job"))?.status, files.size]).toEqual(["expired", 0]);
  expect(seen).toEqual(Array(2).fill({ status: "expired", result: null }));
  expect(await jobs.get("job")).toMatchObject({ leftovers: false });
});
