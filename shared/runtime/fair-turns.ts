import { AsyncLocalStorage } from "node:async_hooks";
import { monotonicMs } from "../tracing/monotonic-ms.ts";

/** How long slices of long work may run in a turn of the event loop, in milliseconds. A slice is not interrupted. */
const SLICES_MS = 0.25;
/** A turn that took less, in milliseconds, was idle: nothing has arrived. */
const IDLE_MS = 0.05;
/** How long long work may wait for an idle turn, in milliseconds. */
const PAUSE_MS_MAX = 4;
/**
 * How far apart a party's requests begin while others are in progress, in milliseconds. Five times the rate limit: a flood that is refused
 * takes a fifth of the time of a processor.
 */
const BEGIN_MS_MIN = 2;
/** How many requests of a party begin in one turn at most after a late timer. */
const BEGIN_MAX = 3;
/** How long turns are shared after a request of another party than the last one, in milliseconds. */
const COMPANY_MS = 1000;
/** In how many turns a backlog has begun. A longer one begins several requests a turn, so that a flood does not stay in memory. */
const BACKLOG_TURNS = 250;

/** Shares turns of the event loop between parties, such as customers. */
export interface FairTurns {
  /**
   * Returns undefined if a request of the party may begin now: no other one of it has begun in this turn. Otherwise returns a promise that
   * resolves in a later turn, in the order of the calls.
   */
  readonly enter: (party: string) => Promise<void> | undefined;
  /** Ends a request that has entered. */
  readonly leave: (party: string) => void;
  /** Whether long work of a party waits. */
  readonly hasWork: (party: string) => boolean;
  /** Runs long work of a party in later turns. `step` runs a slice and returns whether it was the last. It must not throw. */
  readonly work: (party: string, step: () => boolean) => void;
}

interface Loop {
  /** Runs something once in the next turn. */
  readonly nextTurn: (run: () => void) => void;
  /** Runs something once after some milliseconds. */
  readonly later: (milliseconds: number, run: () => void) => void;
  /** Milliseconds since any instant. */
  readonly now: () => number;
}

/**
 * Returns fair turns. A short request takes dozens of turns of the event loop, since each of its reads takes several, and is delayed by what
 * others do in each of them. So each party begins one request in a turn, and long work has a share of it: a slice of each party alternately,
 * and the work of one party one after the other, because a hundred half-done ones would fill the memory. While requests of several parties
 * are in progress, and for a second after one of another party, long work runs only in turns in which nothing else has arrived, or after a
 * pause, and a party's requests begin apart: who asks now and then finds the processor free.
 * Source: J. Nagle, On Packet Switches with Infinite Storage, RFC 970 (1985), on round robin between sources
 */
export function createFairTurns({ nextTurn, later, now }: Loop = PROCESS): FairTurns {
  /** How many requests of a party are in progress. */
  const inProgress = new Map<string, number>();
  /** The parties that have begun a request in this turn, and those of theirs that wait. */
  const beginning = new Map<string, (() => void)[]>();
  /** The long work of each party. The first party is next. */
  const working = new Map<string, (() => boolean)[]>();
  let [isAwaited, isTimed, ranAt, endedAt, begunAt] = [false, false, 0, 0, 0];
  let [last, companyAt]: [string | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  const awaitTurn = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    nextTurn(turn);
  };
  const awaitTime = (): void => {
    if (isTimed) return;
    isTimed = true;
    later(BEGIN_MS_MIN, () => {
      isTimed = false;
      awaitTurn();
    });
  };
  const isAlone = (): boolean => inProgress.size < 2 && now() - companyAt >= COMPANY_MS;
  const beginDue = (at: number): void => {
    const due = isAlone() ? 1 : Math.floor((at - begunAt) / BEGIN_MS_MIN);
    if (due <= 0) return;
    beginSome(beginning, Math.min(due, BEGIN_MAX));
    // Timers are late. What is left of the time counts for the next turn.
    begunAt = isAlone() || due > BEGIN_MAX ? at : begunAt + due * BEGIN_MS_MIN;
  };
  const awaitNext = (): void => {
    if (working.size > 0 || (beginning.size > 0 && isAlone())) awaitTurn();
    else if (beginning.size > 0) awaitTime();
  };
  const turn = (): void => {
    isAwaited = false;
    const at = now();
    beginDue(at);
    const isDue = isAlone() || at - endedAt < IDLE_MS || at - ranAt >= PAUSE_MS_MAX;
    if (isDue) {
      do runSlice(working);
      while (working.size > 0 && now() < at + SLICES_MS);
    }
    endedAt = now();
    if (isDue) ranAt = endedAt;
    awaitNext();
  };
  return {
    enter: (party) => {
      if (last !== undefined && last !== party) companyAt = now();
      last = party;
      inProgress.set(party, (inProgress.get(party) ?? 0) + 1);
      const waiting = beginning.get(party);
      if (waiting) return new Promise((resolve) => waiting.push(resolve));
      if (beginning.size === 0) begunAt = now();
      beginning.set(party, []);
      awaitTurn();
      return undefined;
    },
    leave: (party) => {
      const others = (inProgress.get(party) ?? 0) - 1;
      if (others > 0) inProgress.set(party, others);
      else inProgress.delete(party);
    },
    hasWork: (party) => working.has(party),
    work: (party, step) => {
      const own = working.get(party);
      if (own) own.push(step);
      else working.set(party, [step]);
      awaitTurn();
    },
  };
}

/** The event loop of this process. */
const PROCESS: Loop = { nextTurn: setImmediate, later: (milliseconds, run) => setTimeout(run, milliseconds), now: monotonicMs };

/** Begins so many requests of each party, or more of a long backlog. */
function beginSome(beginning: Map<string, (() => void)[]>, count: number): void {
  for (const [party, waiting] of beginning) {
    if (waiting.length === 0) beginning.delete(party);
    for (const begin of waiting.splice(0, Math.max(count, Math.ceil(waiting.length / BACKLOG_TURNS)))) begin();
  }
}

/** Runs a slice of the first party, which is the last one then. */
function runSlice(working: Map<string, (() => boolean)[]>): void {
  const [first] = working;
  if (!first) return;
  const [party, own] = first;
  if (own[0]?.()) own.shift();
  working.delete(party);
  if (own.length > 0) working.set(party, own);
}

/** The turns of this process. */
export const fairTurns: FairTurns = createFairTurns();

const currentParty = new AsyncLocalStorage<string>();

/** Runs work on behalf of a party. */
export function onBehalfOf<Result>(party: string, run: () => Result): Result {
  return currentParty.run(party, run);
}

/** Returns on whose behalf the current work runs; an empty text for the service's own work. */
export function partyOfWork(): string {
  return currentParty.getStore() ?? "";
}
