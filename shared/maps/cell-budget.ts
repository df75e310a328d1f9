import { ServiceError } from "../http/errors.ts";

/** What is counted for a customer's budget of cells. */
export interface CellUse {
  /** The cells of all monitored maps. */
  readonly monitoredCells: number;
  /** The cells that changes of monitored maps had the warehouse store within an hour of the clock. */
  readonly cellsWritten: { readonly hour: string; readonly count: number } | undefined;
}

/** The shape of a map: what decides which cells it has. */
export interface Shape {
  readonly type: string;
  readonly geometry: string | null;
  readonly ids: readonly number[] | null;
  readonly countryCode: string | null;
}

/** A shape with the number of its cells, and the countries in which it is measured. */
export interface CountedShape extends Shape {
  readonly cells: number;
  readonly countries: readonly string[];
}

/** A map as its budget sees it. */
interface Budgeted extends Shape {
  readonly isMonitored: boolean;
  readonly monitoredCells?: number | undefined;
}

/** What a change of a map adds to its customer's use. `refusable` is false for a change that only ends monitoring. */
export interface CellChange {
  readonly monitored: number;
  readonly written: number;
  readonly refusable: boolean;
}

/** A version of a map costs the tick about as many bytes as these cells, however few it has itself. */
export const VERSION_CELLS = 64;
/** How often a customer can have its whole budget written anew within an hour. */
export const WRITES_PER_HOUR = 2;
/** The smallest budget with which a map of one cell can be monitored. */
export const CELLS_MIN = Math.ceil((VERSION_CELLS + 1) / WRITES_PER_HOUR);
const HOUR_MS = 3_600_000;
/** The most geometry changes of a map within an hour. */
export const GEOMETRY_CHANGES_MAX = 60;

/**
 * Returns what a change adds to the budget. A new version of a monitored map is written to the warehouse; cells only when it starts being
 * monitored or its shape changes. Throws `conflict` if the shape is none that was counted: another request has changed the map meanwhile.
 * @param after undefined for a deletion
 * @param counted the shape that the request has counted the cells of
 */
export function cellChange(
  before: Budgeted,
  after: Budgeted | undefined,
  counted: Omit<CountedShape, "countries"> | undefined,
): CellChange {
  const had = before.isMonitored ? (before.monitoredCells ?? 0) : 0;
  if (!after?.isMonitored) return { monitored: -had, written: before.isMonitored ? VERSION_CELLS : 0, refusable: false };
  if (counted && isSameShape(counted, after)) {
    const isWritten = !before.isMonitored || !isSameShape(before, after);
    return { monitored: counted.cells - had, written: VERSION_CELLS + (isWritten ? counted.cells : 0), refusable: true };
  }
  if (before.isMonitored && isSameShape(before, after)) {
    // Its ids are in each version of a standard map.
    return { monitored: 0, written: VERSION_CELLS + (after.ids?.length ?? 0), refusable: true };
  }
  throw new ServiceError("conflict", "Another request has changed the map at the same time; send this one again");
}

/** Returns whether two maps have the same cells. */
export function isSameShape(one: Shape, other: Shape): boolean {
  return (
    one.type === other.type &&
    one.geometry === other.geometry &&
    one.countryCode === other.countryCode &&
    one.ids?.length === other.ids?.length &&
    (one.ids ?? []).every((id, index) => id === other.ids?.[index])
  );
}

/** A budget that a change would exceed: of all monitored maps, of the changes of an hour, or of an hour by this change alone, at any time. */
export interface CellLimit {
  readonly limit: "monitoredCells" | "cellsWritten" | "cellsOfOneChange";
  readonly most: number;
  /** What the customer would use with the change. */
  readonly wanted: number;
  readonly retryAfterSeconds: number;
}

/** Returns a customer's use after a change, or the limit that the change would exceed. What only ends monitoring is never refused. */
export function changedUse(use: CellUse, change: CellChange, most: number, now: Date): CellUse | CellLimit {
  const hour = hourOf(now);
  const mostWritten = WRITES_PER_HOUR * most;
  const written = (use.cellsWritten?.hour === hour ? use.cellsWritten.count : 0) + change.written;
  const monitored = Math.max(0, use.monitoredCells + change.monitored);
  if (change.refusable && change.monitored > 0 && monitored > most)
    return { limit: "monitoredCells", most, wanted: monitored, retryAfterSeconds: HOUR_MS / 1000 };
  if (change.refusable && change.written > mostWritten)
    return { limit: "cellsOfOneChange", most: mostWritten, wanted: change.written, retryAfterSeconds: HOUR_MS / 1000 };
  if (change.refusable && written > mostWritten)
    return { limit: "cellsWritten", most: mostWritten, wanted: written, retryAfterSeconds: secondsUntil(nextHour(now), now) };
  return { monitoredCells: monitored, cellsWritten: { hour, count: written } };
}

/**
 * Returns the geometry changes of the last hour with one more, or the seconds until one more is allowed.
 * @param changes earlier changes, the oldest first
 */
export function withGeometryChange(changes: readonly Date[], now: Date): readonly Date[] | number {
  const recent = changes.filter((at) => now.getTime() - at.getTime() < HOUR_MS);
  const first = recent.at(-GEOMETRY_CHANGES_MAX);
  return first ? secondsUntil(new Date(first.getTime() + HOUR_MS), now) : [...recent, now];
}

function hourOf(now: Date): string {
  return now.toISOString().slice(0, 13);
}

function nextHour(now: Date): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS);
}

function secondsUntil(then: Date, now: Date): number {
  return Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));
}
