import { type CarriedTicks, decideCarried, unknownAfter } from "../../../../shared/realtime/carried-ticks.ts";
import { LOAD_GROUPS } from "../../../../shared/realtime/load-customer-tables.ts";
import {
  isOnTime,
  missedTick,
  missedTicks,
  nextAttempt,
  startTick,
  type TickState,
  takeOn,
  tickName,
} from "../../../../shared/realtime/tick-state.ts";
import { type TickStore, takenBy } from "../../../../shared/realtime/ticks.ts";
import type { Process } from "../process.ts";

/** An in-memory store of ticks. Each call takes effect atomically, like a transaction. */
export interface MemoryTicks {
  readonly all: () => readonly TickState[];
  readonly get: (tick: Date) => TickState | undefined;
  readonly portOf: (process: Pick<Process, "step">) => TickStore;
}

/** A process without faults: its calls take effect in order. */
export const INSTANT: Pick<Process, "step"> = { step: async (_what, effect) => effect() };

/** @param watch called after each change of a tick */
export function memoryTicks(watch: (after: TickState, before: TickState | undefined) => void = () => undefined): MemoryTicks {
  const stored = new Map<string, TickState>();
  let carriedTicks: CarriedTicks | undefined;
  const get = (tick: Date): TickState | undefined => stored.get(tickName(tick));
  const put = (after: TickState): void => {
    const before = get(after.tick);
    stored.set(tickName(after.tick), after);
    watch(after, before);
  };
  const lostBefore = (tick: Date, tickMs: number): Date[] => {
    const earlier = Math.max(...[...stored.values()].map(({ firing }) => (firing && firing < tick ? firing.getTime() : 0)));
    return earlier > 0 ? missedTicks(new Date(earlier), tick, tickMs).filter((time) => !get(time)) : [];
  };
  const open: (...given: Parameters<TickStore["start"]>) => Awaited<ReturnType<TickStore["start"]>> = (tick, now, tickMs) => {
    const known = get(tick);
    const inTime = tickMs !== undefined && isOnTime(tick, tickMs, now);
    const missed = !known && inTime ? lostBefore(tick, tickMs) : [];
    const opened = startTick(known, tick, inTime, now);
    if (opened !== known) put(opened);
    for (const time of missed) put(missedTick(time, now));
    return { tick: opened, missed };
  };
  const change = (tick: Date, to: (known: TickState) => TickState | undefined): TickState | undefined => {
    const known = get(tick);
    if (!known) throw new Error(`The tick ${tick.toISOString()} is not known`);
    const changed = to(known);
    if (changed) put(changed);
    return changed;
  };
  const nameOf = (tick: Date): string => tick.toISOString().slice(11, 19);

  return {
    all: () => [...stored.values()],
    get,
    portOf: ({ step }) => {
      const transaction = <T>(what: string, effect: () => T): Promise<T> => step(what, effect, { mayRepeat: true });
      return {
        start: (...given) => transaction(`ticks.start ${nameOf(given[0])}`, () => open(...given)),
        recordFailure: (tick, job, failed) =>
          transaction(
            `ticks.recordFailure ${nameOf(tick)} ${job}`,
            () => change(tick, (known) => nextAttempt(known, job, failed))?.attempts[job] ?? 0,
          ),
        carry: (tick, measurements) =>
          transaction(`ticks.carry ${nameOf(tick)}`, () => {
            const found = [...stored.values()].filter((one) => one.tick > unknownAfter(carriedTicks, tick));
            const changed = change(tick, (known) => {
              const { carried, after } = decideCarried(known, carriedTicks, found, measurements);
              carriedTicks = after;
              return { ...known, carried };
            });
            return changed?.carried ?? [];
          }),
        takeOn: (tick, due, hasRows, now) =>
          transaction(`ticks.takeOn ${nameOf(tick)}`, () => {
            const known = get(tick);
            if (!known) throw new Error(`The tick ${tick.toISOString()} is not known`);
            const others = [...stored.values()].filter(({ left = [] }) => left.length > 0);
            const groups = Array.from({ length: LOAD_GROUPS }, (_, group) => group);
            const after = takeOn(known, others, { due, groups, hasRows, now });
            for (const changed of [after.own, ...after.others]) if (changed !== get(changed.tick)) put(changed);
            return takenBy(after.own, [...stored.values()]);
          }),
        finish: (tick) => transaction(`ticks.finish ${nameOf(tick)}`, () => void change(tick, (known) => ({ ...known, state: "done" }))),
        abandon: (tick) =>
          transaction(
            `ticks.abandon ${nameOf(tick)}`,
            () => void change(tick, (known) => (known.state === "owed" ? { ...known, state: "given up" } : undefined)),
          ),
        pending: (since, limit) =>
          step("ticks.pending", () =>
            [...stored.values()]
              .filter(({ state, touchedAt }) => state === "owed" && touchedAt <= since)
              .sort((a, b) => a.touchedAt.getTime() - b.touchedAt.getTime())
              .slice(0, limit)
              .map(({ tick }) => tick),
          ),
      };
    },
  };
}
