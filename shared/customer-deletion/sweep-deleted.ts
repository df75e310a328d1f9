import { STREAMED_MS } from "../realtime/customer-rows.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { type CustomerDataStores, deleteFiles, deleteRows } from "./delete-data.ts";

/**
 * How long after its removal a customer is swept up behind: nobody is at work for it any more then (a delivery lives for a minute, a refresh for
 * some), and BigQuery deletes what was streamed for it last.
 */
const SWEEP_AFTER_MS = STREAMED_MS + 10 * 60_000;

/** What the sweeper of gone customers needs of the world. */
export interface SweepContext extends CustomerDataStores {
  /** How many customers one sweep looks at: the next one goes on. */
  readonly batch: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. Left out: it never is. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Removes what came to be of a customer while it was removed: a manifest that a delivery wrote when its job was gone, headcounts and a snapshot of
 * a refresh that had begun before, rows that BigQuery would not delete yet. Safe to repeat; one customer's fault does not keep the others
 * from being seen to, and the next sweep tries it again. Throws `ShuttingDown` when its process is to end.
 */
export async function sweepDeletedCustomers({ batch, now, log, shutdownSignal, ...places }: SweepContext): Promise<void> {
  for (const uid of await places.gone.since(new Date(now().getTime() - SWEEP_AFTER_MS), batch)) {
    shutdownSignal?.throwIfAborted();
    try {
      const files = await deleteFiles(places, uid);
      const snapshots = await places.gone.removeSnapshot(uid);
      const { tooRecent, ...rows } = await deleteRows(places, uid, now());
      if (tooRecent === 0 && !(await places.gone.markSwept(uid)))
        log("WARNING", "The removal of a customer stopped on the way: run customers delete again", { uid });
      log("INFO", "Swept up behind a customer that is gone", { uid, files, snapshots, ...rows, tooRecent });
    } catch (fault) {
      log("WARNING", "A customer that is gone could not be swept up behind; the next sweep tries again", { uid, ...describeError(fault) });
    }
  }
}
