/** A tick whose statement or copy failed this often, over all calls, is given up: a warehouse that fails for an hour uses up fewer. */
export const ATTEMPTS_MAX = 60;
/** A tick that is older is given up: presence, which it reads, is kept for two days. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** A tick that is owed is left to whoever touched it last for this long. */
export const TICK_IDLE_MS = 5 * 60_000;
/** How long it is known that a tick was done. */
const TICK_RETENTION_MS = 3 * 86_400_000;
/** A firing that comes this many ticks late or later tells nothing of the firings before it: one in time does. */
const LATE_TICKS = 2;
/** Lost firings are made up for an hour back, and for this many. */
const MISSED_WITHIN_MS = 3_600_000;
const MISSED_MAX = 12;

/** The warehouse jobs of a tick: the statement that computes it, and the load of its copy in eu. */
export type TickJob = "statement" | "copy";

/**
 * How far a tick is: owed until all of it is there. `attempts` has the attempt of each of its jobs that is to be made or is under way; it only
 * ever rises, since one that was seen to fail is never made again. `firing` is the tick if the schedule fired it in time, and null for any other.
 */
export interface TickState {
  readonly tick: Date;
  readonly firing: Date | null;
  readonly state: "owed" | "done" | "given up";
  readonly touchedAt: Date;
  readonly attempts: Readonly<Record<TickJob, number>>;
  /** After this time nobody asks for it any more. */
  readonly expireAt: Date;
}

/**
 * A tick that somebody sets about: it is owed from then on, unless it is over.
 * @param known undefined for one that nobody has heard of
 */
export function startTick(known: TickState | undefined, tick: Date, isOnTime: boolean, now: Date): TickState {
  if (known) return known.state === "owed" ? { ...known, touchedAt: now } : known;
  return newTick(tick, isOnTime, now, now);
}

/** A tick whose firing was lost: nobody is at work on it. */
export function missedTick(tick: Date, now: Date): TickState {
  return newTick(tick, true, tick, now);
}

function newTick(tick: Date, isOnTime: boolean, touchedAt: Date, now: Date): TickState {
  const expireAt = new Date(now.getTime() + TICK_RETENTION_MS);
  return { tick, firing: isOnTime ? tick : null, state: "owed", touchedAt, attempts: { statement: 1, copy: 1 }, expireAt };
}

/** The tick after an attempt at one of its jobs was seen to fail. */
export function nextAttempt(known: TickState, job: TickJob, failed: number): TickState {
  return { ...known, attempts: { ...known.attempts, [job]: Math.max(known.attempts[job], failed + 1) } };
}

/** Whether a tick is too old to be computed behind newer ones. */
export function isTooOld({ tick }: Pick<TickState, "tick">, now: Date): boolean {
  return now.getTime() - tick.getTime() > ABANDONED_AFTER_MS;
}

/**
 * Whether a scheduled firing comes when it should. Only such a one is measured from when the next looks for lost ones: one that comes very late
 * may have others before it that are late as well.
 */
export function isOnTime(tick: Date, tickMs: number, now: Date): boolean {
  return now.getTime() - tick.getTime() < LATE_TICKS * tickMs;
}

/** The ticks between two firings in time, the newest first. All of them have been lost that nobody has heard of. */
export function missedTicks(earlier: Date, tick: Date, tickMs: number): Date[] {
  const first = Math.max(earlier.getTime() + 1, tick.getTime() - MISSED_WITHIN_MS);
  const newest = Math.ceil(tick.getTime() / tickMs) - 1;
  return Array.from({ length: MISSED_MAX }, (_, back) => (newest - back) * tickMs)
    .filter((time) => time >= first)
    .map((time) => new Date(time));
}

/** A tick's name in ids of documents and warehouse jobs: `20260115T120000000`. */
export function tickName(tick: Date): string {
  return tick.toISOString().replace(/\W/g, "").slice(0, 18);
}
