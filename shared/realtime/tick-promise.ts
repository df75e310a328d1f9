import { WRITES_PER_HOUR } from "../maps/cell-budget.ts";

/** A cell in the warehouse: an INT64 and a FLOAT64. */
const CELL_BYTES = 16;
/**
 * For how many hours of the clock the cells that changes have stored may be there at most: two until the compaction may remove them, one
 * until it runs, and one that has only begun.
 */
const HOURS_STORED = 4;
/** From this share of its limit on, the tick is nearly sold out. */
const WARN_FROM = 0.8;

/** A customer's budget of cells, and how much of it is used. */
export interface CellBudget {
  readonly monitoredCells: number;
  readonly limits: { readonly monitoredCells: number };
}

/** How much of what a tick may read is promised to customers. */
export interface TickPromise {
  /** What a tick would read if every customer used all of its budget, and had all of it stored anew as often as it may. */
  readonly bytes: number;
  /** What a tick may read: `maximumBytesBilled` of its statement. */
  readonly bytesMax: number;
  readonly share: number;
  /** What the operator should know: undefined while enough is left. */
  readonly warning: string | undefined;
}

/** Returns the most cells of a customer that the warehouse holds at once: those monitored, and those that changes have left for a while. */
export function storedCellsMax(monitoredCellsMax: number): number {
  return monitoredCellsMax * (1 + WRITES_PER_HOUR * HOURS_STORED);
}

/**
 * Returns how much of a tick is promised: what it reads now, by a dry run, without the cells monitored now, and with all cells that the
 * customers' budgets allow. A tick that reads more than `bytesMax` fails as a whole, and is given up with an error in the log.
 */
export function tickPromise(bytesNow: number, customers: readonly CellBudget[], bytesMax: number): TickPromise {
  const added = customers.map(({ monitoredCells, limits }) => Math.max(0, storedCellsMax(limits.monitoredCells) - monitoredCells));
  const bytes = bytesNow + CELL_BYTES * added.reduce((sum, cells) => sum + cells, 0);
  const share = bytes / bytesMax;
  return { bytes, bytesMax, share, warning: warningOf(share) };
}

function warningOf(share: number): string | undefined {
  if (share < WARN_FROM) return undefined;
  const advice = "lower quotas of monitored cells, or raise BYTES_BILLED_MAX";
  if (share > 1) return `The tick is oversold: if customers used their budgets, it would fail for all of them; ${advice}`;
  return `The tick is nearly sold out: above 100 % it could fail for all customers; ${advice}`;
}
