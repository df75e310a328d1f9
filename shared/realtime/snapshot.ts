import type { Headcount } from "./headcount.ts";

/** The headcount of a map that was measured by itself, at the change that made it new: its `tick`. */
export interface MeasuredAlone extends Headcount {
  readonly tick: Date;
}

/** A customer's view of its monitored maps: the rows of a tick, those of maps measured since, and which of them are hidden. */
export interface Snapshot {
  /** Undefined before the first tick. */
  readonly tick: Date | undefined;
  readonly rows: readonly Headcount[];
  /** By map id. */
  readonly measured: Readonly<Record<string, MeasuredAlone>>;
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

/** Returns the rows that are not hidden. A map that was measured by itself after the tick has that row. */
export function shownRows(snapshot: Snapshot): readonly Headcount[] {
  const { tick, rows, hidden } = snapshot;
  const alone = measuredLast(snapshot);
  const ids = new Set(alone.map(({ targetId }) => targetId));
  const ofTick = tick ? rows.filter(({ targetId }) => !isHidden(hidden[targetId], tick) && !ids.has(targetId)) : [];
  return alone.length === 0 ? ofTick : [...ofTick, ...alone].sort(inOrder);
}

/**
 * Returns the rows measured alone that neither a change of the map nor the snapshot's tick has made old. A tick that has no row of the map
 * began before the warehouse knew the map, even if it is later: then the row stays.
 */
function measuredLast({ tick, rows, measured, hidden }: Pick<Snapshot, "tick" | "rows" | "measured" | "hidden">): MeasuredAlone[] {
  const inTick = new Set(rows.map(({ targetId }) => targetId));
  return Object.values(measured).filter(
    ({ targetId, tick: own }) => !isHidden(hidden[targetId], own) && !(tick && own <= tick && inTick.has(targetId)),
  );
}

/** The order of a tick's rows: by name, then id. */
function inOrder(a: Headcount, b: Headcount): number {
  return compare(a.targetName, b.targetName) || compare(a.targetId, b.targetId);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
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
  // What was hidden before stays so: `hidden` may forget the map with this tick.
  const measured = measuredLast({ tick, rows, measured: known.measured, hidden: known.hidden });
  return { tick, rows, measured: Object.fromEntries(measured.map((row) => [row.targetId, row])), hidden: Object.fromEntries(hidden) };
}

function isHidden(until: Date | undefined, tick: Date): boolean {
  return until !== undefined && tick < until;
}

function isForever(until: Date | undefined): boolean {
  return until !== undefined && until >= TIMESTAMP_MAX;
}
