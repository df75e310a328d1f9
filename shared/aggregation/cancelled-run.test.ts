import { describe, expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import { cancel, newJob } from "../jobs/job-state.ts";
import { parseCountryTable } from "../products/countries.ts";
import { dispatchAndCleanUp } from "./after-transition.ts";
import { runJob } from "./run-job.ts";
import type { Step } from "./testing/chance.ts";
import { memoryJobs } from "./testing/memory-jobs.ts";
import { memoryMessages } from "./testing/memory-messages.ts";
import { memoryWarehouse } from "./testing/memory-warehouse.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const request = {
  agg_type: "activities",
  country_code: "EST",
  measure: "stays_count",
  activity_type: "daily",
  geo_type: "grid_1000m",
  geo_ids: null,
  start_time: "2026-11-18T00:00:00.000Z",
  end_time: "2026-11-19T00:00:00.000Z",
  full: true,
  format: "csv",
} as const;

/** Runs one delivery of an export job. The customer cancels the job just before the `time`-th call of the port `before`. */
async function runAndCancel(before: string, time: number, isSwept = false) {
  const calls: string[] = [];
  const plain: Step = async (_name, effect) => effect();
  const jobs = memoryJobs({ acme: 1 }, plain);
  const step: Step = async (name, effect) => {
    calls.push(name);
    if (name === before && calls.filter((call) => call === before).length === time) await cancelIt();
    return effect();
  };
  const { warehouse, exports, files, jobs: started } = memoryWarehouse(step, () => 0);
  const { queue } = memoryMessages(plain, () => 0);
  const cancelIt = async (): Promise<void> => {
    const settled = await jobs.transition({ id: "job", uid: "acme" }, (job) => cancel(job, NOW), NOW);
    const stopped = memoryWarehouse(plain, () => 0);
    // Only what the worker leaves is tested here, so the endpoint cleans up another warehouse.
    if (settled) await dispatchAndCleanUp(settled, { queue, warehouse: stopped.warehouse, exports: stopped.exports, log: () => undefined });
    if (isSwept) await jobs.update("job", (job) => ({ ...job, leftovers: false }));
  };
  await jobs.submit("acme", NOW, (placed) => ({ ...newJob(NOW, placed), id: "job", uid: "acme", keyLabel: "main", request, result: null }));
  const countries = parseCountryTable("infra/countries.json", builtIn);
  const ports = { jobs, queue, warehouse, exports, countries, exportBucket: "bucket", now: () => NOW, log: () => undefined };
  await runJob({ job_id: "job", attempt: 1, step: 0 }, ports);
  return { job: await jobs.get("job"), files: [...files.keys()], kinds: [...started.values()].map(({ kind }) => kind) };
}

describe("a job that is cancelled while a worker runs it", () => {
  it("starts no further query, and has no file", async () => {
    // The wait is for the summary: its export has not begun.
    const { job, files, kinds } = await runAndCancel("wait", 1);
    expect({ status: job?.status, files, kinds }).toEqual({ status: "cancelled", files: [], kinds: ["summary"] });
  });

  it("leaves no file of a finished export, and no manifest", async () => {
    for (const [before, time] of [
      ["wait", 2],
      ["wait", 3],
      ["list", 1],
      ["writeJson", 1],
    ] as const) {
      const { job, files } = await runAndCancel(before, time);
      expect({ before, status: job?.status, files }).toEqual({ before, status: "cancelled", files: [] });
    }
  });

  it("leaves nothing when the sweeper cleans up before a frozen worker resumes", async () => {
    const { job, files } = await runAndCancel("writeJson", 1, true);
    expect({ status: job?.status, files }).toEqual({ status: "cancelled", files: [] });
  });

  it("completes and keeps its files when nobody cancels it", async () => {
    const { job, files, kinds } = await runAndCancel("nothing", 1);
    expect({ status: job?.status, kinds }).toEqual({ status: "completed", kinds: ["summary", "export", "ledger"] });
    expect(files).toHaveLength(2);
  });
});
