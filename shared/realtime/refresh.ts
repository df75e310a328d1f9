import { describeError } from "../runtime/log.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import { ageOf, CustomersLackTick, completeTick, type TickContext } from "./complete-tick.ts";
import { isTooOld, TICK_IDLE_MS, type TickState } from "./tick-state.ts";
import type { TickStore } from "./ticks.ts";

/** The maximum number of older ticks per call, and the time after which a call starts no further one. It always tries at least one. */
const OLDER_MAX = 3;
const OLDER_WITHIN_MS = 3 * 60_000;

/** The dependencies of a refresh. */
export interface RefreshContext extends TickContext {
  readonly ticks: TickStore;
  /** The schedule's interval in milliseconds; undefined for a manual tick. */
  readonly tickMs: number | undefined;
}

/**
 * Computes the headcounts of a tick. Idempotent. A tick is pending from its start until it is complete. Then it completes a few older
 * pending ticks that no call is working on, including ticks whose firing was lost. Throws if work of its own tick remains; a repeated call
 * or a later tick does that work. On shutdown it throws `ShuttingDown` and stops waiting; jobs in the warehouse continue.
 */
export async function refreshHeadcounts(tick: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log, tickMs } = context;
  const begun = now();
  const opened = await ticks.start(tick, begun, tickMs);
  if (opened.missed.length > 0) log("WARNING", "Scheduled firings were missed; their ticks are now pending", { ticks: opened.missed });
  const missing = opened.tick.state === "owed" ? await completeOwnTick(opened.tick, context) : undefined;
  await completeOlderTicks(begun, context);
  if (missing) throw missing;
}

/** Completes the call's own tick. Returns `CustomersLackTick` instead of throwing it, so that older ticks are still completed. */
async function completeOwnTick(tick: TickState, context: RefreshContext): Promise<CustomersLackTick | undefined> {
  try {
    await completeTick(tick, context);
    return undefined;
  } catch (error) {
    if (error instanceof CustomersLackTick) return error;
    throw error;
  }
}

/** Completes older pending ticks. A failing tick does not block the others: starting it has moved it to the end of the queue. */
async function completeOlderTicks(begun: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log, shutdownSignal } = context;
  const older = await ticks.pending(new Date(begun.getTime() - TICK_IDLE_MS), OLDER_MAX);
  for (const [index, tick] of older.entries()) {
    shutdownSignal?.throwIfAborted();
    if (index > 0 && now().getTime() - begun.getTime() > OLDER_WITHIN_MS) return;
    try {
      await completeOlderTick(tick, context);
    } catch (error) {
      if (error instanceof ShuttingDown) throw error;
      log("WARNING", "An older tick could not be completed; a later call retries it", {
        tick: tick.toISOString(),
        ...describeError(error),
      });
    }
  }
}

async function completeOlderTick(tick: Date, context: RefreshContext): Promise<void> {
  const { ticks, now, log } = context;
  if (isTooOld({ tick }, now())) {
    log("ERROR", "A tick is given up", { tick: tick.toISOString(), ageSeconds: ageOf(tick, context), reason: "a day old" });
    await ticks.abandon(tick);
    return;
  }
  const { tick: opened } = await ticks.start(tick, now());
  if (opened.state === "owed") await completeTick(opened, context);
}
