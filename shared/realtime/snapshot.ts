import type { Headcount } from "./headcount.ts";

/** What a customer reads of its monitored maps: the rows of a tick, and which of them are not shown. */
export interface Snapshot {
  /** Undefined as long as there was none. */
  readonly tick: Date | undefined;
  readonly rows: readonly Headcount[];
  /** By map: rows of ticks before this time are not shown. What is switched off or deleted is gone at once, also from a refresh under way. */
  readonly hidden: Readonly<Record<string, Date>>;
}

/** The last time that Firestore can keep. */
export const TIMESTAMP_MAX = new Date("9999-12-31T23:59:59Z");

/**
 * How long a row stays hidden after the warehouse was seen to know that the map is not measured: no clock is that wrong, and no tick that far
 * ahead. The statement of a later tick has begun after that, so it cannot tell of the map, whichever order the ticks are finished in.
 */
const HIDE_AFTER_DELIVERY_MS = 10 * 60_000;

/** The rows that the customer may see. */
export function shownRows({ tick, rows, hidden }: Snapshot): readonly Headcount[] {
  return tick ? rows.filter(({ targetId }) => !isHidden(hidden[targetId], tick)) : [];
}

/** The maps whose rows are hidden until the warehouse knows that they are not measured any more. */
export function hiddenUntilDelivered({ hidden }: Pick<Snapshot, "hidden">): string[] {
  return Object.keys(hidden).filter((id) => isForever(hidden[id]));
}

/**
 * The snapshot with the rows of another tick; undefined when it has those of this one or a newer one, which stay.
 * @param told maps that are hidden for good, and of which the warehouse is owed no change
 */
export function replaceRows(
  known: Snapshot,
  tick: Date,
  rows: readonly Headcount[],
  { delivered, now }: { readonly delivered: ReadonlySet<string>; readonly now: Date },
): Snapshot | undefined {
  if (known.tick && known.tick >= tick) return undefined;
  const settled = new Date(now.getTime() + HIDE_AFTER_DELIVERY_MS);
  const hidden = Object.entries(known.hidden)
    .map(([id, until]) => [id, isForever(until) && delivered.has(id) ? settled : until] as const)
    .filter(([, until]) => isHidden(until, tick));
  return { tick, rows, hidden: Object.fromEntries(hidden) };
}

function isHidden(until: Date | undefined, tick: Date): boolean {
  return until !== undefined && tick < until;
}

function isForever(until: Date | undefined): boolean {
  return until !== undefined && until >= TIMESTAMP_MAX;
}
