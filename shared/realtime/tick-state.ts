/**
 * A tick is given up if its statement fails this often, over all calls. A warehouse that fails for an hour uses up fewer attempts.
 */
export const ATTEMPTS_MAX = 60;
/** A tick is given up at this age. It reads presence, which is kept for two days. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** How long a pending tick is left to the call that touched it last. */
export const TICK_IDLE_MS = 5 * 60_000;
/** The retention of tick documents. */
const TICK_RETENTION_MS = 3 * 86_400_000;
/** A firing is on time if it is less than this many ticks late. Only on-time firings reveal missed ones. */
const LATE_TICKS = 2;
/** Missed firings are recovered up to an hour back, and at most this many. */
const MISSED_WITHIN_MS = 3_600_000;
const MISSED_MAX = 12;

/** The warehouse jobs of a tick whose attempts are counted here: the statement that computes its headcounts. The ids of loads tell theirs. */
export type TickJob = "statement";

/**
 * The state of a tick: pending (`owed`) until it is complete or given up. `attempts` has the next or running attempt of each job. It only
 * increases, since a failed attempt is never repeated. `firing` is the tick if the schedule fired it on time, otherwise null. `carried` are
 * the measurements of single maps that the tick brings into the customers' tables, once that is decided. `loads` says whose rows the tick loads
 * into the customers' tables, its own and those that earlier ticks have left, once that is decided; `left` are the groups of customers whose rows
 * of this tick no tick has taken on yet.
 */
export interface TickState {
  readonly tick: Date;
  readonly firing: Date | null;
  readonly state: "owed" | "done" | "given up";
  readonly touchedAt: Date;
  readonly attempts: Readonly<Record<TickJob, number>>;
  readonly carried?: readonly string[] | undefined;
  readonly loads?: readonly Share[] | undefined;
  readonly left?: readonly number[] | undefined;
  /** The document can be deleted after this time. */
  readonly expireAt: Date;
}

/**
 * Returns the tick after a call has started work on it: it is pending, unless it is done or given up.
 * @param known undefined for a new tick
 */
export function startTick(known: TickState | undefined, tick: Date, isOnTime: boolean, now: Date): TickState {
  if (known) return known.state === "owed" ? { ...known, touchedAt: now } : known;
  return newTick(tick, isOnTime, now, now);
}

/** Returns a pending tick whose firing was missed. No call is working on it, so `touchedAt` is the tick. */
export function missedTick(tick: Date, now: Date): TickState {
  return newTick(tick, true, tick, now);
}

function newTick(tick: Date, isOnTime: boolean, touchedAt: Date, now: Date): TickState {
  const expireAt = new Date(now.getTime() + TICK_RETENTION_MS);
  return { tick, firing: isOnTime ? tick : null, state: "owed", touchedAt, attempts: { statement: 1 }, expireAt };
}

/** Returns the tick after a failed attempt of one of its jobs. */
export function nextAttempt(known: TickState, job: TickJob, failed: number): TickState {
  return { ...known, attempts: { ...known.attempts, [job]: Math.max(known.attempts[job], failed + 1) } };
}

/** A measurement of a single map: its name, and the instant that it has as its tick. */
export interface Measurement {
  readonly key: string;
  readonly tick: Date;
}

/** How far back a tick looks for measurements of single maps that no tick has carried. */
export const CARRY_WITHIN_MS = 2 * 3_600_000;

/**
 * Returns the keys of the measurements that a tick carries: those of no other tick's list, and not rows of a tick. Decided once: a tick that
 * is loaded in part must not carry more.
 * @param recent all ticks of the last `CARRY_WITHIN_MS`, and the tick itself
 */
export function carriedBy(
  known: TickState,
  recent: readonly Pick<TickState, "tick" | "carried">[],
  measurements: readonly Measurement[],
): readonly string[] {
  if (known.carried) return known.carried;
  const others = new Set(recent.flatMap(({ carried }) => carried ?? []));
  const instants = new Set(recent.map(({ tick }) => tick.getTime()));
  return measurements.flatMap(({ key, tick }) => (others.has(key) || instants.has(tick.getTime()) ? [] : [key]));
}

/** The rows of a tick of some groups of customers. */
export interface Share {
  readonly tick: Date;
  readonly groups: readonly number[];
}

/** What is left of a tick is kept for so long: nothing else loads it after an outage. */
const LEFT_RETENTION_MS = 30 * 86_400_000;

/**
 * Returns the ticks after one has decided what it loads into the customers' tables: of its own rows those of the groups that are due, and what
 * other ticks have left of these. Each row is taken on by one tick. Decided once: a tick that is loaded in part must not load other rows.
 * @param others ticks of which something is left
 * @param hasRows whether the tick has rows of its own
 */
export function takeOn(
  known: TickState,
  others: readonly TickState[],
  { due, groups, hasRows, now }: { due: readonly number[]; groups: readonly number[]; hasRows: boolean; now: Date },
): { readonly own: TickState; readonly others: readonly TickState[] } {
  if (known.loads) return { own: known, others: [] };
  const isDue = new Set(due);
  const taken = others.flatMap((other) => {
    const share = (other.left ?? []).filter((group) => isDue.has(group));
    return share.length > 0 && other.tick.getTime() !== known.tick.getTime() ? [{ other, share }] : [];
  });
  if (!hasRows && taken.length === 0) return { own: known, others: [] };
  const loads = [{ tick: known.tick, groups: due }, ...taken.map(({ other: { tick }, share }) => ({ tick, groups: share }))];
  const left = hasRows ? groups.filter((group) => !isDue.has(group)) : [];
  const expireAt = left.length > 0 ? new Date(now.getTime() + LEFT_RETENTION_MS) : known.expireAt;
  return {
    own: { ...known, loads, left, expireAt },
    others: taken.map(({ other }) => ({ ...other, left: (other.left ?? []).filter((group) => !isDue.has(group)) })),
  };
}

/** Returns whether a tick is too old to be computed after newer ones. */
export function isTooOld({ tick }: Pick<TickState, "tick">, now: Date): boolean {
  return now.getTime() - tick.getTime() > ABANDONED_AFTER_MS;
}

/**
 * Returns whether a scheduled firing is on time. The search for missed firings starts from on-time firings only: before a very late firing,
 * others may be late too.
 */
export function isOnTime(tick: Date, tickMs: number, now: Date): boolean {
  return now.getTime() - tick.getTime() < LATE_TICKS * tickMs;
}

/** Returns the ticks between two on-time firings, newest first. Those without a document were missed. */
export function missedTicks(earlier: Date, tick: Date, tickMs: number): Date[] {
  const first = Math.max(earlier.getTime() + 1, tick.getTime() - MISSED_WITHIN_MS);
  const newest = Math.ceil(tick.getTime() / tickMs) - 1;
  return Array.from({ length: MISSED_MAX }, (_, back) => (newest - back) * tickMs)
    .filter((time) => time >= first)
    .map((time) => new Date(time));
}

/** Returns a tick's name for ids of documents and warehouse jobs: `20260115T120000000`. */
export function tickName(tick: Date): string {
  return tick.toISOString().replace(/\W/g, "").slice(0, 18);
}
