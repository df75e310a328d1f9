import { describeFault } from "../runtime/log.ts";
import { Stopped } from "../runtime/shutdown-signal.ts";
import { finishTick, SnapshotsMissing, type TickFinisher } from "./complete-tick.ts";
import { isTooOld, QUIET_MS, type TickState } from "./tick-state.ts";
import type { TickStore } from "./ticks.ts";

/** Older ticks that one call finishes at most, and how long after it began it sets about another one. It does one however slow all is. */
const OLDER_MAX = 3;
const OLDER_WITHIN_MS = 3 * 60_000;

/** What a refresh needs of the world. */
export interface Refresher extends TickFinisher {
  readonly ticks: TickStore;
  /** The time between two ticks of the schedule, in milliseconds; undefined for a tick that is made by hand. */
  readonly tickMs: number | undefined;
}

/**
 * Computes the headcounts of a tick, once however often it is called, and whatever was left of earlier ones: a tick is owed from the moment that
 * somebody sets about it until all of it is there. Then does a few older ticks that nobody is at work on, and those whose firing was lost. Throws
 * when something of its own tick stays to be done (`Stopped` when its process is to end: it waits no longer, and what the warehouse was given goes
 * on); calling it again does that, and so does a later tick.
 */
export async function refresh(tick: Date, refresher: Refresher): Promise<void> {
  const { ticks, now, log, tickMs } = refresher;
  const begun = now();
  const opened = await ticks.open(tick, begun, tickMs);
  if (opened.lost.length > 0) log("WARNING", "Firings of the schedule were lost; they are made up for", { ticks: opened.lost });
  const missing = opened.tick.state === "owed" ? await finishOwn(opened.tick, refresher) : undefined;
  await finishOlder(begun, refresher);
  if (missing) throw missing;
}

/** Gives what is missing when only some customers were not served: that does not keep the older ticks from being finished. */
async function finishOwn(tick: TickState, refresher: Refresher): Promise<SnapshotsMissing | undefined> {
  try {
    await finishTick(tick, refresher);
    return undefined;
  } catch (fault) {
    if (fault instanceof SnapshotsMissing) return fault;
    throw fault;
  }
}

/** One that cannot be finished does not keep the others from it: opening it has put it behind them. */
async function finishOlder(begun: Date, refresher: Refresher): Promise<void> {
  const { ticks, now, log, stopping } = refresher;
  const older = await ticks.owed(new Date(begun.getTime() - QUIET_MS), OLDER_MAX);
  for (const [index, tick] of older.entries()) {
    stopping?.throwIfAborted();
    if (index > 0 && now().getTime() - begun.getTime() > OLDER_WITHIN_MS) return;
    try {
      await finishOneOlder(tick, refresher);
    } catch (fault) {
      if (fault instanceof Stopped) throw fault;
      log("WARNING", "An older tick could not be finished; a later one does", { tick: tick.toISOString(), ...describeFault(fault) });
    }
  }
}

async function finishOneOlder(tick: Date, refresher: Refresher): Promise<void> {
  const { ticks, now, log } = refresher;
  if (isTooOld({ tick }, now())) {
    log("ERROR", "A tick is given up", { tick: tick.toISOString(), reason: "a day old" });
    await ticks.giveUp(tick);
    return;
  }
  const { tick: opened } = await ticks.open(tick, now());
  if (opened.state === "owed") await finishTick(opened, refresher);
}
