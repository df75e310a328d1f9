import { describeError } from "../runtime/log.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import { completeTick, SnapshotWritesFailed, type TickContext } from "./complete-tick.ts";
import { isTooOld, TICK_IDLE_MS, type TickState } from "./tick-state.ts";
import type { TickStore } from "./ticks.ts";

/** Older ticks that one call finishes at most, and how long after it began it sets about another one. It does one however slow all is. */
const OLDER_MAX = 3;
const OLDER_WITHIN_MS = 3 * 60_000;

/** What a refresh needs of the world. */
export interface RefreshContext extends TickContext {
  readonly ticks: TickStore;
  /** The time between two ticks of the schedule, in milliseconds; undefined for a tick that is made by hand. */
  readonly tickMs: number | undefined;
}

/**
 * Computes the headcounts of a tick, once however often it is called, and whatever was left of earlier ones: a tick is owed from the moment that
 * somebody sets about it until all of it is there. Then does a few older ticks that nobody is at work on, and those whose firing was lost. Throws
 * when something of its own tick stays to be done (`ShuttingDown` when its process is to end: it waits no longer, and what the warehouse was given goes
 * on); calling it again does that, and so does a later tick.
 */
export async function refreshHeadcounts(tick: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log, tickMs } = context;
  const begun = now();
  const opened = await ticks.start(tick, begun, tickMs);
  if (opened.missed.length > 0) log("WARNING", "Firings of the schedule were lost; they are made up for", { ticks: opened.missed });
  const missing = opened.tick.state === "owed" ? await completeOwnTick(opened.tick, context) : undefined;
  await completeOlderTicks(begun, context);
  if (missing) throw missing;
}

/** Gives what is missing when only some customers were not served: that does not keep the older ticks from being finished. */
async function completeOwnTick(tick: TickState, context: RefreshContext): Promise<SnapshotWritesFailed | undefined> {
  try {
    await completeTick(tick, context);
    return undefined;
  } catch (fault) {
    if (fault instanceof SnapshotWritesFailed) return fault;
    throw fault;
  }
}

/** One that cannot be finished does not keep the others from it: opening it has put it behind them. */
async function completeOlderTicks(begun: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log, shutdownSignal } = context;
  const older = await ticks.pending(new Date(begun.getTime() - TICK_IDLE_MS), OLDER_MAX);
  for (const [index, tick] of older.entries()) {
    shutdownSignal?.throwIfAborted();
    if (index > 0 && now().getTime() - begun.getTime() > OLDER_WITHIN_MS) return;
    try {
      await completeOlderTick(tick, context);
    } catch (fault) {
      if (fault instanceof ShuttingDown) throw fault;
      log("WARNING", "An older tick could not be finished; a later one does", { tick: tick.toISOString(), ...describeError(fault) });
    }
  }
}

async function completeOlderTick(tick: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log } = context;
  if (isTooOld({ tick }, now())) {
    log("ERROR", "A tick is given up", { tick: tick.toISOString(), reason: "a day old" });
    await ticks.abandon(tick);
    return;
  }
  const { tick: opened } = await ticks.start(tick, now());
  if (opened.state === "owed") await completeTick(opened, context);
}
