import { describe, expect, it } from "vitest";
import { cancel } from "../jobs/job-state.ts";
import { dispatchAndCleanUp } from "./after-transition.ts";
import { type JobPath, jobId, openJobPath, type Step } from "./testing/job-path.ts";

const ID = jobId(1);

/** Runs one delivery of an export job. The customer cancels the job just before the `time`-th call of the port `before`. */
async function runAndCancel(before: string, time: number, isSwept = false) {
  let called = 0;
  const step: Step = async (name, effect) => {
    if (name === before && ++called === time) await cancelIt(path);
    return effect();
  };
  const path = openJobPath({ runningMax: { acme: 1 }, step });
  const { ports, now } = path;
  const cancelIt = async ({ stored }: JobPath): Promise<void> => {
    const jobs = stored.portOf({ name: "customer", step: async (_what, effect) => effect() });
    const settled = await jobs.transition({ id: ID, uid: "acme" }, (job) => cancel(job, now()), now());
    const { warehouse, exports } = openJobPath({ runningMax: {} }).ports;
    // Only what the worker leaves is tested here, so the endpoint cleans up another warehouse.
    if (settled) await dispatchAndCleanUp(settled, { jobs, queue: ports.queue, warehouse, exports, now, log: () => undefined });
    if (isSwept) await jobs.update(ID, (job) => ({ ...job, leftovers: false }));
  };
  await path.submit("acme", true);
  await path.deliver({ job_id: ID, attempt: 1, step: 0 });
  return { status: path.stored.get(ID)?.status, files: [...path.files.keys()], kinds: [...path.queries.values()].map(({ kind }) => kind) };
}

describe("a job that is cancelled while a worker runs it", () => {
  it("starts no further query, and has no file", async () => {
    // The wait is for the summary: its export has not begun.
    expect(await runAndCancel("warehouse.wait", 1)).toEqual({ status: "cancelled", files: [], kinds: ["summary"] });
  });

  it("leaves no file of a finished export, and no manifest", async () => {
    for (const [before, time] of [
      ["warehouse.wait", 2],
      ["warehouse.bill", 1],
      ["exports.list", 1],
      ["exports.writeJson", 1],
    ] as const) {
      const { status, files } = await runAndCancel(before, time);
      expect({ before, status, files }).toEqual({ before, status: "cancelled", files: [] });
    }
  });

  it("leaves nothing when the sweeper cleans up before a frozen worker resumes", async () => {
    expect(await runAndCancel("exports.writeJson", 1, true)).toMatchObject({ status: "cancelled", files: [] });
  });

  it("completes and keeps its files when nobody cancels it", async () => {
    const { status, files, kinds } = await runAndCancel("nothing", 1);
    expect({ status, kinds }).toEqual({ status: "completed", kinds: ["summary", "export"] });
    expect(files.map((name) => name.replace(/.*\//, "").replace(/-.*/, ""))).toEqual(expect.arrayContaining(["manifest.json", "part"]));
  });
});
