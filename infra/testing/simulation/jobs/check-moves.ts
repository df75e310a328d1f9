import { isDeepStrictEqual } from "node:util";
import { warehouseJobIds } from "../../../../shared/aggregation/warehouse-job-ids.ts";
import { bytesOf } from "../../../../shared/jobs/job-bytes.ts";
import { isOver, isWaitingForSlot } from "../../../../shared/jobs/job-state.ts";
import type { Job } from "../../../../shared/jobs/jobs.ts";
import { type JobWrite, short } from "./memory-jobs.ts";
import { FOR_GOOD, FOR_NOW } from "./memory-warehouse.ts";
import { latencyMax, type Scene } from "./scene.ts";

/** How many attempts a job has. */
const ATTEMPTS_MAX = 3;

/** Checks every transaction of the job store. */
export function checkMoves(writes: readonly JobWrite[], who: string, scene: Scene): void {
  checkDelivery(writes, who, scene);
  for (const { before, after } of writes) {
    if (before) checkMove(before, after, scene);
    if (before) checkRelease(before, after, scene);
    if (after.placed && !before?.placed) checkOrder(after, scene);
  }
  for (const uid of new Set(writes.map(({ after }) => after.uid))) {
    checkPlaces(uid, scene);
    checkDay(uid, scene);
  }
  for (const { before, after } of writes) if (!before) checkBudget(after, scene);
}

/**
 * Checks that a delivery changes only its own step and the slots that it frees. A stale delivery changes nothing, but may learn what the queries of a
 * finished job were billed.
 */
function checkDelivery(writes: readonly JobWrite[], who: string, { world, deliveries }: Scene): void {
  const message = deliveries.get(who);
  const write = writes.find(({ before }) => before?.id === message?.job_id);
  const before = write?.before;
  if (!message || !before || (isOver(before) && isFinalBill(before, write.after))) return;
  if (before.attempt !== message.attempt || before.step !== message.step)
    world.violate("a stale delivery changes nothing", `${who}: ${short(before.id)} is at ${before.attempt}.${before.step}`);
}

function checkMove(before: Job, after: Job, scene: Scene): void {
  const { world } = scene;
  const name = short(after.id);
  if (after.progress < before.progress) world.violate("progress never falls", `${name}: from ${before.progress} to ${after.progress}`);
  if (isOver(before) && !isAfterlife(before, after, scene))
    world.violate("terminal states stay", `${name}: ${before.status} became ${after.status}`);
  if (after.attempt < before.attempt || (after.attempt === before.attempt && after.step < before.step))
    world.violate("deliveries count up", `${name}: from ${before.attempt}.${before.step} to ${after.attempt}.${after.step}`);
  if (before.deadlineAt && after.deadlineAt?.getTime() !== before.deadlineAt.getTime())
    world.violate("deadlines stay", `${name}: ${after.deadlineAt?.toISOString()}`);
  if (
    after.attempt > before.attempt &&
    !(after.attempt === before.attempt + 1 && after.attempt <= ATTEMPTS_MAX && mayRepeat(before, scene))
  )
    world.violate("attempts rise for a reason", `${name}: ${before.attempt} became ${after.attempt}`);
  if (after.status === "failed" && before.status !== "failed" && !mayFail(before, after, scene))
    world.violate("jobs fail for a reason", `${name}: ${after.error}`);
}

/** A finished job may only lose its leftovers and, past its retention, its results. */
function isAfterlife(before: Job, after: Job, { world }: Scene): boolean {
  if (isDeepStrictEqual(after, { ...before, leftovers: false })) return before.leftovers;
  const { touchedAt, leftovers } = after;
  if (isFinalBill(before, after)) return true;
  const isExpiry = before.status === "completed" && before.expireAt !== null && before.expireAt <= world.now();
  return isExpiry && isDeepStrictEqual(after, { ...before, status: "expired", result: null, leftovers, touchedAt });
}

/** Whether nothing but the bill of a finished job becomes known. It is final and never falls. */
function isFinalBill(before: Job, after: Job): boolean {
  const { bytes } = after;
  return isDeepStrictEqual(after, { ...before, bytes }) && bytes?.reserved === 0 && bytes.billed >= (before.bytes?.billed ?? 0);
}

/** Returns how the queries of a job's attempt have ended so far, as the warehouse's reasons. */
function endsOf(job: Job, { world, warehouse }: Scene): string[] {
  return Object.values(warehouseJobIds(job)).flatMap((id) => {
    const query = warehouse.jobs.get(id);
    if (warehouse.refused.has(id)) return [FOR_GOOD];
    return query && query.endAt <= world.time ? [query.end] : [];
  });
}

function mayRepeat(job: Job, scene: Scene): boolean {
  const { summary, exported } = warehouseJobIds(job);
  const [first, last] = [scene.warehouse.jobs.get(summary), scene.warehouse.jobs.get(exported)];
  const hasChanged = first?.end === "done" && last?.end === "done" && first.version !== last.version;
  return hasChanged || endsOf(job, scene).includes(FOR_NOW);
}

function mayFail(before: Job, after: Job, scene: Scene): boolean {
  const isLate = before.deadlineAt !== null && before.deadlineAt <= scene.world.now();
  if (after.error?.includes("six hours")) return isLate;
  if (scene.buried.has(`${before.id} ${before.attempt}.${before.step}`)) return true;
  const isForGood = endsOf(before, scene).some((end) => end !== "done" && end !== FOR_NOW);
  return isForGood || (before.attempt === ATTEMPTS_MAX && mayRepeat(before, scene));
}

function checkOrder(placed: Job, { world, jobs }: Scene): void {
  const older = jobs.all().find((job) => job.uid === placed.uid && isWaitingForSlot(job) && job.createdAt < placed.createdAt);
  if (older) world.violate("the oldest comes first", `${short(placed.id)} got a slot while ${short(older.id)} waits`);
}

function checkPlaces(uid: string, { world, jobs, plan }: Scene): void {
  let running = 0;
  let waiting = 0;
  for (const job of jobs.all()) {
    if (job.uid !== uid) continue;
    if (job.placed) running++;
    else if (!isOver(job)) waiting++;
    if (job.placed && isOver(job)) world.violate("no slot is leaked", `${short(job.id)} is ${job.status} and has one`);
  }
  const counts = jobs.countsOf(uid);
  if (counts.running !== running || counts.waiting !== waiting)
    world.violate("no slot is leaked", `${uid}: ${JSON.stringify(counts)} are counted, ${running} run and ${waiting} wait`);
  if (running > (plan.limits[uid]?.runningJobs ?? 0)) world.violate("no more jobs run than allowed", `${uid}: ${running} run`);
}

/** Checks that a customer's day is the sum of what its jobs of that day reserve and were billed. */
function checkDay(uid: string, { world, jobs }: Scene): void {
  const day = jobs.dayOf(uid);
  const own = jobs.all().filter((job) => job.uid === uid && job.bytes?.date === day?.date);
  const sum = own.reduce((total, job) => total + bytesOf(job), 0);
  if (day && day.bytes !== sum) world.violate("a day is the sum of its jobs", `${uid}: ${day.bytes} are counted, the jobs have ${sum}`);
}

/** Checks that a job is accepted only within its customer's day. */
function checkBudget({ id, uid }: Job, { world, jobs, plan }: Scene): void {
  const { bytes } = jobs.dayOf(uid) ?? { bytes: 0 };
  const limit = plan.limits[uid]?.bytesPerDay ?? 0;
  if (bytes > limit) world.violate("nobody spends more than its day", `${short(id)}: ${bytes} of ${limit} are reserved or billed`);
}

/** Checks that a job keeps its reservation while one of its queries runs. A query may have been started a moment before unseen. */
function checkRelease(before: Job, after: Job, scene: Scene): void {
  if (before.bytes?.reserved === 0 || after.bytes?.reserved !== 0) return;
  const { world, warehouse } = scene;
  const seenBefore = world.time - 2 * latencyMax(scene);
  for (const { id, jobId, startAt, endAt } of warehouse.jobs.values())
    if (jobId === after.id && endAt > world.time && startAt < seenBefore)
      world.violate("a job reserves until it is billed", `${short(jobId)} is ${after.status} and released while ${id} runs`);
}
