import { expect, it } from "vitest";
import { begin, complete, JOB_IDLE_MS, RETENTION_MS } from "../jobs/job-state.ts";
import { jobId, openJobPath, START, type Step } from "./testing/job-path.ts";

const FIRST = { attempt: 1, step: 0 };
const ID = jobId(1);
const FOLDER = `results/acme/${ID}/odm_daily_trips/`;

it("stops serving an export before its files are removed, and a sweep that dies meanwhile leaves nothing for good", async () => {
  /** The job's state when each removal of its files begins: with a list, then a call for each object. */
  const seen: unknown[] = [];
  const step: Step = async (name, effect) => {
    if (name !== "exports.remove") return effect();
    const job = path.stored.get(ID);
    seen.push({ status: job?.status, result: job?.result });
    if (seen.length === 1) throw new Error("the process died");
    return effect();
  };
  const path = openJobPath({ runningMax: { acme: 1 }, step });
  const { jobs, exports } = path.ports;
  await path.submit("acme", true);
  await jobs.update(ID, (job) => begin(job, FIRST, START));
  await jobs.transition({ id: ID, uid: "acme" }, (job) => complete(job, FIRST, START), START);
  for (const name of ["manifest.json", "part-1-000.csv.gz"]) await exports.writeJson(FOLDER + name, {});
  const sweepAt = async (milliseconds: number) => {
    await path.advance(START.getTime() + milliseconds - path.now().getTime());
    await path.sweep();
    return { status: path.stored.get(ID)?.status, files: path.files.size };
  };

  expect(await sweepAt(RETENTION_MS - 1)).toEqual({ status: "completed", files: 2 });
  expect(await sweepAt(RETENTION_MS)).toEqual({ status: "expired", files: 2 });
  expect(await sweepAt(RETENTION_MS + JOB_IDLE_MS)).toEqual({ status: "expired", files: 0 });
  expect(seen).toEqual(Array(2).fill({ status: "expired", result: null }));
  expect(path.stored.get(ID)).toMatchObject({ leftovers: false });
});
