import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { exportPrefix } from "../domain/export-path.ts";
import { ATTEMPTS_MAX, isOver, isWaiting } from "../domain/job-state.ts";
import { DataVersion } from "../schemas/aggregation.ts";
import type { Job } from "../stores/jobs.ts";
import { placeOf } from "./export-manifest.ts";
import { warehouseJobIds } from "./leftovers.ts";
import { type JobPath, openJobPath } from "./testing/job-path.ts";
import type { MemoryWarehouse } from "./testing/memory-warehouse.ts";

const PLACES = { narrow: 1, wide: 2 };
const MINUTE_MS = 60_000;

/** What happens from outside in one round, beside the deliveries that are due. */
const round = fc.record({
  seconds: fc.nat(400),
  sweeps: fc.nat(2),
  submits: fc.array(fc.record({ uid: fc.constantFrom("narrow", "wide"), full: fc.boolean() }), { maxLength: 3 }),
  cancels: fc.option(fc.nat(20)),
});

describe("the job path, whatever is lost, doubled, late or fails before or after its effect", () => {
  it("comes to rest with every job over for a good reason, all places free and nothing left behind", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(round, { minLength: 1, maxLength: 10, size: "max" }),
        fc.array(fc.nat(999), { maxLength: 600, size: "max" }),
        async (scheduler, rounds, decisions) => {
          const path = openJobPath({ scheduler, decisions, runningMax: PLACES, batch: 2, watch: checkMove });
          for (const { seconds, sweeps, submits, cancels } of rounds) {
            path.advance(seconds * 1000);
            const cancelled = path.jobs.all()[cancels ?? Number.POSITIVE_INFINITY];
            await path.round([
              ...Array.from({ length: sweeps }, () => path.sweep),
              ...submits.map(
                ({ uid, full }) =>
                  () =>
                    path.submit(uid, full),
              ),
              ...(cancelled ? [() => path.cancel(cancelled)] : []),
            ]);
            checkCounts(path);
          }
          await comeToRest(path);
          checkCounts(path);
          for (const job of path.jobs.all()) checkEnd(job, path.store);
        },
      ),
      // Shrinking such a schedule takes minutes; the path that is printed repeats it.
      { numRuns: 400, seed: 20_261_121, endOnFailure: true },
    );
  }, 60_000);
});

/** Far more deliveries than the jobs of a run need one after the other: one that comes for ever is a fault, not a reason to wait. */
const DELIVERIES_MAX = 500;

/** Sweeps and delivers until all is over, long before the deadline of any job could help. */
async function comeToRest(path: JobPath): Promise<void> {
  let delivered = 0;
  for (let sweep = 0; sweep < 40; sweep++) {
    path.advance(6 * MINUTE_MS);
    await path.round([path.sweep]);
    for (let due = path.nextAt(); due && delivered < DELIVERIES_MAX; due = path.nextAt()) {
      delivered++;
      path.advance(Math.max(0, due.getTime() - path.now().getTime()));
      await path.round([]);
    }
  }
}

/** What must hold of every single write of a job. */
function checkMove(before: Job | undefined, after: Job, store: MemoryWarehouse): void {
  if (!before) return;
  expect(after.progress).toBeGreaterThanOrEqual(before.progress);
  if (isOver(before)) expect(after).toEqual({ ...before, leftovers: false });
  const failures = Object.values(warehouseJobIds(before)).map((id) => (store.refused.has(id) ? "invalidQuery" : store.jobs.get(id)?.end));
  const isLast = before.attempt === ATTEMPTS_MAX;
  if (after.status === "failed" && !isLast) expect(failures).toContain("invalidQuery");
  if (after.attempt > before.attempt || (after.status === "failed" && isLast && !failures.includes("invalidQuery")))
    expect(failures.includes("backendError") || isOfChangedData(before, store)).toBe(true);
}

function isOfChangedData(job: Job, store: MemoryWarehouse): boolean {
  const { summary, ledger } = warehouseJobIds(job);
  return store.jobs.get(summary)?.version !== store.jobs.get(ledger)?.version;
}

function checkCounts({ jobs }: JobPath): void {
  for (const [uid, places] of Object.entries(PLACES)) {
    const own = jobs.all().filter((job) => job.uid === uid);
    const truth = { running: own.filter(({ placed }) => placed).length, waiting: own.filter(isWaiting).length };
    expect(jobs.countsOf(uid)).toEqual(truth);
    expect(truth.running).toBeLessThanOrEqual(places);
  }
}

const Manifest = v.object({
  attempt: v.number(),
  files: v.array(v.object({ name: v.string(), crc32c: v.string() })),
  data_versions: v.array(DataVersion),
});

/** What must hold of a job when all has come to rest. */
function checkEnd(job: Job, store: MemoryWarehouse): void {
  expect(isOver(job), `${job.id} is ${job.status}`).toBe(true);
  expect(job.leftovers).toBe(false);
  const started = [...store.jobs.values()].filter(({ jobId }) => jobId === job.id);
  for (const kind of ["summary", "export", "ledger"])
    expect(started.filter((one) => one.kind === kind).length).toBeLessThanOrEqual(job.attempt);
  expect(started.filter(({ runs }) => runs > 0)).toEqual([]);
  const folder = exportPrefix(placeOf(job));
  const names = [...store.files.keys()].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
  if (job.status !== "completed" || !job.request.full) {
    expect(names).toEqual([]);
    return;
  }
  const manifest = v.parse(Manifest, store.files.get(`${folder}manifest.json`));
  expect(manifest.attempt).toBe(job.attempt);
  expect(names.sort()).toEqual(["manifest.json", ...manifest.files.map(({ name }) => name)].sort());
  expect(manifest.files.map(({ crc32c }) => crc32c)).toEqual(manifest.data_versions.map(({ version }) => String(version)));
}
