import type { DocumentData, Firestore, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { firestore, StoredTime } from "../google/firestore.ts";
import type { Config } from "../runtime/config.ts";
import { isOnTime, missedTick, missedTicks, nextAttempt, startTick, type TickJob, type TickState, tickName } from "./tick-state.ts";

const StoredTick = v.object({
  tick: StoredTime,
  firing: v.nullable(StoredTime),
  /** When it was last touched while it is owed; null when it is over, so that one index of one field finds those that are owed. */
  owedSince: v.nullable(StoredTime),
  state: v.picklist(["owed", "done", "given up"]),
  touchedAt: StoredTime,
  attempts: v.object({ statement: v.number(), copy: v.number() }),
  expireAt: StoredTime,
});

/** Which ticks are owed, done or given up. Its decisions are `tick-state.ts`. */
export interface TickStore {
  /**
   * Notes that somebody sets about a tick and gives how far it is. With the length of the schedule's ticks, for one that the schedule fires, and
   * when nobody has heard of it before, the firings missed since the one before it become owed with it: `missed`, the newest first.
   */
  readonly start: (tick: Date, now: Date, tickMs?: number) => Promise<{ readonly tick: TickState; readonly missed: readonly Date[] }>;
  /** Notes that an attempt has failed, and gives the one that is to be made. Throws for a tick that is not known. */
  readonly recordFailure: (tick: Date, job: TickJob, failed: number) => Promise<number>;
  /** All of the tick is there. */
  readonly finish: (tick: Date) => Promise<void>;
  /** What is owed of the tick is not to be had; one that is done stays done. */
  readonly abandon: (tick: Date) => Promise<void>;
  /** Ticks that are owed and were not touched since a time, the longest untouched first. */
  readonly pending: (since: Date, limit: number) => Promise<readonly Date[]>;
}

/** `ticks/{tick}`: one small document a tick, for some days. A tick costs three reads and two writes. */
export function openTicks(config: Config): TickStore {
  const db = firestore(config);
  const ticks = db.collection("ticks");
  const refOf = (tick: Date) => ticks.doc(tickName(tick));
  const stateOf = async (transaction: Transaction, tick: Date): Promise<TickState | undefined> =>
    parse((await transaction.get(refOf(tick))).data());
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
        const known = await stateOf(transaction, tick);
        if (!known) throw new Error(`The tick ${tick.toISOString()} is not known`);
        const raised = nextAttempt(known, job, failed);
        transaction.update(refOf(tick), { attempts: raised.attempts });
        return raised.attempts[job];
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

/** The ticks of the schedule since the last firing in time that nobody has heard of; none where there was no such firing. */
async function missedBefore(db: Firestore, transaction: Transaction, tick: Date, tickMs: number): Promise<Date[]> {
  const ticks = db.collection("ticks");
  const { docs } = await transaction.get(ticks.where("firing", "<", tick).orderBy("firing", "desc").limit(1));
  const earlier = docs.map((document) => parse(document.data())?.firing)[0];
  const between = earlier ? missedTicks(earlier, tick, tickMs) : [];
  if (between.length === 0) return [];
  const known = await transaction.getAll(...between.map((time) => ticks.doc(tickName(time))));
  return between.filter((_, index) => !known[index]?.exists);
}

function documentOf(state: TickState): DocumentData {
  return { ...state, owedSince: state.state === "owed" ? state.touchedAt : null };
}

function parse(data: unknown): TickState | undefined {
  if (data === undefined) return undefined;
  const { owedSince: _owedSince, ...state } = v.parse(StoredTick, data);
  return state;
}
