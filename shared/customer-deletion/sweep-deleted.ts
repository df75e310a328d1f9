import { STREAMED_MS } from "../realtime/customer-rows.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { type CustomerDataStores, deleteFiles, deleteRows } from "./delete-data.ts";

/**
 * How long after its deletion a customer is swept. By then nothing works for it any more (a delivery takes a minute, a refresh some
 * minutes), and BigQuery can delete the rows streamed last.
 */
const SWEEP_AFTER_MS = STREAMED_MS + 10 * 60_000;

/** The dependencies of the sweeper of deleted customers. */
export interface SweepContext extends CustomerDataStores {
  /** How many customers one sweep processes. The next sweep continues. */
  readonly batch: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Aborted when this process is to end. */
  readonly shutdownSignal?: AbortSignal;
}

/**
 * Removes data that was written while a customer was being deleted: a manifest by a delivery whose job was deleted, headcounts and a
 * snapshot by a refresh that began before, uses of keys, and rows that BigQuery could not delete yet. Idempotent. An error for one customer does not stop
 * the others: the next sweep tries it again. Throws `ShuttingDown` when its process is to end.
 */
export async function sweepDeletedCustomers({ batch, now, log, shutdownSignal, ...stores }: SweepContext): Promise<void> {
  for (const uid of await stores.deletedCustomers.since(new Date(now().getTime() - SWEEP_AFTER_MS), batch)) {
    shutdownSignal?.throwIfAborted();
    try {
      const files = await deleteFiles(stores, uid);
      const snapshots = await stores.snapshots.remove(uid);
      const usage = await stores.usage.remove(uid);
      const { tooRecent, ...rows } = await deleteRows(stores, uid, now());
      if (tooRecent === 0 && !(await stores.deletedCustomers.markSwept(uid)))
        log("WARNING", "The deletion of a customer is incomplete: run customers delete again", { uid });
      log("INFO", "Swept the remains of a deleted customer", { uid, files, snapshots, usage, ...rows, tooRecent });
    } catch (error) {
      log("WARNING", "A deleted customer could not be swept; the next sweep tries again", { uid, ...describeError(error) });
    }
  }
}
