import type { DocumentData, DocumentSnapshot, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";
import { type CarriedTicks, decideCarried, unknownAfter } from "./carried-ticks.ts";
import { LOAD_GROUPS } from "./load-customer-tables.ts";
import {
  isOnTime,
  type Measurement,
  missedTick,
  missedTicks,
  nextAttempt,
  type Share,
  startTick,
  type TickJob,
  type TickState,
  takeOn,
  tickName,
} from "./tick-state.ts";

const ALL_GROUPS = Array.from({ length: LOAD_GROUPS }, (_, group) => group);
/** How many ticks of which something is left one tick takes from. A day's. */
const TAKEN_MAX = 288;

/** Groups as stored: a bit each, as one hexadecimal number. A list would have an index entry each. */
const StoredGroups = v.pipe(
  v.string(),
  v.hexadecimal(),
  v.transform((bits) => ALL_GROUPS.filter((group) => (BigInt(`0x${bits}`) >> BigInt(group)) & 1n)),
);

function storedGroups(groups: readonly number[]): string {
  return groups.reduce((bits, group) => bits | (1n << BigInt(group)), 0n).toString(16);
}

const StoredTick = v.object({
  tick: StoredTime,
  firing: v.nullable(StoredTime),
  /** The last touch of a pending tick; null once it is done or given up. A single-field index then finds the pending ticks. */
  owedSince: v.nullable(StoredTime),
  state: v.picklist(["owed", "done", "given up"]),
  touchedAt: StoredTime,
  attempts: v.object({ statement: v.number() }),
  carried: v.optional(v.array(v.string())),
  loads: v.optional(v.array(v.object({ tick: StoredTime, groups: StoredGroups }))),
  left: v.optional(StoredGroups),
  /** The tick while something is left of it. A single-field index then finds those ticks. */
  leftSince: v.optional(v.nullable(StoredTime)),
  expireAt: StoredTime,
});

/** Rows that a tick loads, and the keys of the measurements of single maps among them. */
export interface TakenShare extends Share {
  readonly carried: readonly string[];
}

/** `carriedTicks/recent`. The ticks are JSON text: unlike an array, text has no index entries. */
const StoredCarried = v.object({
  since: StoredTime,
  latest: StoredTime,
  ticks: v.pipe(
    v.string(),
    v.parseJson(),
    v.array(
      v.object({
        tick: v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.transform((text) => new Date(text)),
        ),
        carried: v.array(v.string()),
      }),
    ),
  ),
});
/** The longest text of that document, in characters: far below the 1 MiB of a document. Beyond it, ticks are read one by one. */
const CARRIED_TEXT_MAX = 300_000;

/** The state of ticks: pending (`owed`), done or given up. `tick-state.ts` has the transitions. */
export interface TickStore {
  /**
   * Records the start of work on a tick and returns its state. `tickMs`, the schedule's interval, is set for a tick that the schedule
   * fires. If such a tick is new, the firings missed since the previous one also become pending: `missed`, newest first.
   */
  readonly start: (tick: Date, now: Date, tickMs?: number) => Promise<{ readonly tick: TickState; readonly missed: readonly Date[] }>;
  /** Records a failed attempt and returns the number of the next attempt. Throws for an unknown tick. */
  readonly recordFailure: (tick: Date, job: TickJob, failed: number) => Promise<number>;
  /** Decides which measurements of single maps a tick carries (`carriedBy`), and returns their keys: the same each time. Throws for an unknown tick. */
  readonly carry: (tick: Date, measurements: readonly Measurement[]) => Promise<readonly string[]>;
  /**
   * Decides what a tick loads into the customers' tables (`takeOn`), and returns it, with the measurements of single maps that each of the ticks
   * carries: the same each time. Throws for an unknown tick.
   */
  readonly takeOn: (tick: Date, due: readonly number[], hasRows: boolean, now: Date) => Promise<readonly TakenShare[]>;
  /** Marks a tick as done. */
  readonly finish: (tick: Date) => Promise<void>;
  /** Gives up a pending tick. A tick that is done stays done. */
  readonly abandon: (tick: Date) => Promise<void>;
  /** Returns pending ticks whose last touch is `since` or earlier, oldest touch first. */
  readonly pending: (since: Date, limit: number) => Promise<readonly Date[]>;
}

/**
 * Opens `ticks/{tick}`: one small document per tick, kept for some days, and `carriedTicks/recent`. A tick costs five reads and four writes, and,
 * where maps were measured between ticks, two reads and a write more, with a read for each tick since that was last so.
 */
export function openTicks(config: Config): TickStore {
  const db = firestore(config);
  const ticks = db.collection("ticks");
  const refOf = (tick: Date) => ticks.doc(tickName(tick));
  const carriedRef = db.collection("carriedTicks").doc("recent");
  const stateOf = async (transaction: Transaction, tick: Date): Promise<TickState | undefined> =>
    parse((await transaction.get(refOf(tick))).data());
  const knownTick = async (transaction: Transaction, tick: Date): Promise<TickState> => {
    const known = await stateOf(transaction, tick);
    if (!known) throw new Error(`The tick ${tick.toISOString()} is not known`);
    return known;
  };
  return {
    start: (tick, now, tickMs) =>
      db.runTransaction(async (transaction) => {
        const known = await stateOf(transaction, tick);
        const inTime = tickMs !== undefined && isOnTime(tick, tickMs, now);
        const missed = !known && inTime ? await missedBefore(db, transaction, tick, tickMs) : [];
        const opened = startTick(known, tick, inTime, now);
        if (opened !== known) transaction.set(refOf(tick), documentOf(opened));
        for (const time of missed) transaction.set(refOf(time), documentOf(missedTick(time, now)));
        return { tick: opened, missed };
      }),
    recordFailure: (tick, job, failed) =>
      db.runTransaction(async (transaction) => {
        const known = await knownTick(transaction, tick);
        const raised = nextAttempt(known, job, failed);
        transaction.update(refOf(tick), { attempts: raised.attempts });
        return raised.attempts[job];
      }),
    carry: (tick, measurements) =>
      db.runTransaction(async (transaction) => {
        const known = await knownTick(transaction, tick);
        if (known.carried) return known.carried;
        // A tick that was started by hand is noted even so: its rows look like measurements.
        if (measurements.length === 0 && known.firing) {
          transaction.update(refOf(tick), { carried: [] });
          return [];
        }
        const stored = (await transaction.get(carriedRef)).data();
        const recent = stored === undefined ? undefined : v.parse(StoredCarried, stored);
        const { docs } = await transaction.get(ticks.where("tick", ">", unknownAfter(recent, tick)));
        const found = docs.flatMap((document) => parse(document.data()) ?? []);
        const { carried, after } = decideCarried(known, recent, found, measurements);
        transaction.update(refOf(tick), { carried });
        const document = carriedDocument(after);
        if (document.ticks.length > CARRIED_TEXT_MAX) transaction.delete(carriedRef);
        else transaction.set(carriedRef, document);
        return carried;
      }),
    takeOn: (tick, due, hasRows, now) =>
      db.runTransaction(async (transaction) => {
        const known = await knownTick(transaction, tick);
        const shares = known.loads?.filter((share) => share.tick.getTime() !== tick.getTime()) ?? [];
        if (known.loads) {
          const documents = shares.length === 0 ? [] : await transaction.getAll(...shares.map((share) => refOf(share.tick)));
          return takenBy(known, statesOf(documents));
        }
        const { docs } = await transaction.get(ticks.where("leftSince", ">", new Date(0)).orderBy("leftSince").limit(TAKEN_MAX));
        const left = statesOf(docs);
        const after = takeOn(known, left, { due, groups: ALL_GROUPS, hasRows, now });
        if (after.own !== known) transaction.update(refOf(tick), loadsOf(after.own));
        for (const other of after.others) transaction.update(refOf(other.tick), leftOf(other));
        return takenBy(after.own, left);
      }),
    finish: async (tick) => {
      await refOf(tick).update({ state: "done", owedSince: null });
    },
    abandon: (tick) =>
      db.runTransaction(async (transaction) => {
        if ((await stateOf(transaction, tick))?.state === "owed") transaction.update(refOf(tick), { state: "given up", owedSince: null });
      }),
    pending: async (since, limit) => {
      const { docs } = await ticks.where("owedSince", "<=", since).orderBy("owedSince").limit(limit).get();
      return docs.flatMap((document) => parse(document.data())?.tick ?? []);
    },
  };
}

/** Returns the scheduled ticks without a document since the last on-time firing; none if there was no such firing. */
async function missedBefore(db: Firestore, transaction: Transaction, tick: Date, tickMs: number): Promise<Date[]> {
  const ticks = db.collection("ticks");
  const { docs } = await transaction.get(ticks.where("firing", "<", tick).orderBy("firing", "desc").limit(1));
  const earlier = docs.map((document) => parse(document.data())?.firing)[0];
  const between = earlier ? missedTicks(earlier, tick, tickMs) : [];
  if (between.length === 0) return [];
  const known = await transaction.getAll(...between.map((time) => ticks.doc(tickName(time))));
  return between.filter((_, index) => !known[index]?.exists);
}

/** Returns what a tick loads, with what each tick carries. A tick that is gone carries nothing. */
export function takenBy({ tick, loads = [], carried = [] }: TickState, others: readonly TickState[]): readonly TakenShare[] {
  const carriedOf = new Map([...others.map((other) => [other.tick.getTime(), other.carried ?? []] as const), [tick.getTime(), carried]]);
  return loads.map((share) => ({ ...share, carried: carriedOf.get(share.tick.getTime()) ?? [] }));
}

function documentOf(state: TickState): DocumentData {
  const { loads: _loads, left: _left, ...plain } = state;
  return { ...plain, ...loadsOf(state), owedSince: state.state === "owed" ? state.touchedAt : null };
}

/** Returns the stored members of what a tick loads: none before that is decided. */
function loadsOf({ loads, expireAt, ...state }: TickState): DocumentData {
  if (!loads) return {};
  return { loads: loads.map(({ tick, groups }) => ({ tick, groups: storedGroups(groups) })), expireAt, ...leftOf(state) };
}

function leftOf({ tick, left = [] }: Pick<TickState, "tick" | "left">): DocumentData {
  return { left: storedGroups(left), leftSince: left.length > 0 ? tick : null };
}

function statesOf(documents: readonly DocumentSnapshot[]): TickState[] {
  return documents.flatMap((document) => parse(document.data()) ?? []);
}

function carriedDocument({ since, latest, ticks }: CarriedTicks) {
  return { since, latest, ticks: JSON.stringify(ticks) };
}

function parse(data: unknown): TickState | undefined {
  if (data === undefined) return undefined;
  const { owedSince: _owedSince, leftSince: _leftSince, ...state } = v.parse(StoredTick, data);
  return state;
}
