import type { Headcount } from "./headcount.ts";

/** A customer's view of its monitored maps: the rows of a tick, and which of them are hidden. */
export interface Snapshot {
  /** Undefined before the first tick. */
  readonly tick: Date | undefined;
  readonly rows: readonly Headcount[];
  /**
   * By map id: rows of ticks before this time are hidden. This hides a switched-off or deleted map at once, even from a running refresh.
   */
  readonly hidden: Readonly<Record<string, Date>>;
}

/** The latest time that Firestore can store. */
export const TIMESTAMP_MAX = new Date("9999-12-31T23:59:59Z");

/**
 * How long a row stays hidden after delivery of the change was observed. No clock is that wrong, and no tick is that far ahead. The
 * statement of a later tick starts after the delivery, so it cannot contain the map, whatever the order in which ticks finish.
 */
const HIDE_AFTER_DELIVERY_MS = 10 * 60_000;

/** Returns the rows that are not hidden. */
export function shownRows({ tick, rows, hidden }: Snapshot): readonly Headcount[] {
  return tick ? rows.filter(({ targetId }) => !isHidden(hidden[targetId], tick)) : [];
}

/** Returns the maps whose rows are hidden until the warehouse knows that they are no longer monitored. */
export function hiddenUntilDelivered({ hidden }: Pick<Snapshot, "hidden">): string[] {
  return Object.keys(hidden).filter((id) => isForever(hidden[id]));
}

/**
 * Returns the snapshot with the rows of a newer tick, or undefined if it already has rows of this or a newer tick.
 * @param delivered the maps hidden until delivery that have no pending change any more
 */
export function replaceRows(
  known: Snapshot,
  tick: Date,
  rows: readonly Headcount[],
  { delivered, now }: { readonly delivered: ReadonlySet<string>; readonly now: Date },
): Snapshot | undefined {
  if (known.tick && known.tick >= tick) return undefined;
  const shownFrom = new Date(now.getTime() + HIDE_AFTER_DELIVERY_MS);
  const hidden = Object.entries(known.hidden)
    .map(([id, until]) => [id, isForever(until) && delivered.has(id) ? shownFrom : until] as const)
    .filter(([, until]) => isHidden(until, tick));
  return { tick, rows, hidden: Object.fromEntries(hidden) };
}

function isHidden(until: Date | undefined, tick: Date): boolean {
  return until !== undefined && tick < until;
}

function isForever(until: Date | undefined): boolean {
  return until !== undefined && until >= TIMESTAMP_MAX;
}
