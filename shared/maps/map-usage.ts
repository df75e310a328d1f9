import type { DocumentSnapshot, Transaction } from "@google-cloud/firestore";
import * as v from "valibot";
import { Customer } from "../accounts/customers.ts";
import type { Actor } from "../accounts/held-key.ts";
import {
  type CellLimit,
  type CountedShape,
  cellChange,
  changedUse,
  GEOMETRY_CHANGES_MAX,
  isSameShape,
  type Shape,
  withGeometryChange,
} from "./cell-budget.ts";

const Usage = v.object({
  mapCount: v.optional(v.number(), 0),
  geometryBytes: v.optional(v.number(), 0),
  monitoredCells: Customer.entries.monitoredCells,
  cellsWritten: Customer.entries.cellsWritten,
  limits: Customer.entries.limits,
});

/** The limit that a change would exceed, and its value. */
export type MapLimit =
  | { readonly limit: "maps" | "geometryBytes"; readonly most: number }
  | { readonly limit: "geometryChanges"; readonly most: number; readonly retryAfterSeconds: number }
  | CellLimit;

/** What is counted of a map. */
interface CountedMap extends Shape {
  readonly isMonitored: boolean;
  readonly monitoredCells?: number | undefined;
  readonly geometryChanges?: readonly Date[] | undefined;
  readonly measuredIn?: readonly string[] | undefined;
}

/** Who asks for a change of a map, and when. */
interface Request {
  /** The shape whose cells the request has counted. */
  readonly counted?: CountedShape | undefined;
  readonly actor: Actor;
  readonly now: Date;
}

/** A change of a map: it is created (`before` is undefined), changed, or deleted (`after` is undefined). */
interface MapChange extends Request {
  readonly before: CountedMap | undefined;
  readonly after: CountedMap | undefined;
}

/**
 * Counts a change of a map in its customer's document, in the transaction of the change. Returns the limit that it would exceed; then it has
 * written nothing. The service itself is counted and never refused. Throws `conflict`.
 */
export function countChange(transaction: Transaction, customer: DocumentSnapshot | undefined, change: MapChange): MapLimit | undefined {
  const { before, after, counted, actor, now } = change;
  const { limits, ...usage } = v.parse(Usage, customer?.data());
  const maps = (after ? 1 : 0) - (before ? 1 : 0);
  const bytes = bytesOf(after) - bytesOf(before);
  const next = { mapCount: usage.mapCount + maps, geometryBytes: usage.geometryBytes + bytes };
  if (maps > 0 && next.mapCount > limits.maps) return { limit: "maps", most: limits.maps };
  if (bytes > 0 && next.geometryBytes > limits.geometryBytes) return { limit: "geometryBytes", most: limits.geometryBytes };
  const isMeasured = before !== undefined && (before.isMonitored || after?.isMonitored === true);
  const added = isMeasured ? cellChange(before, after, counted) : undefined;
  const use =
    added &&
    changedUse(
      { cellsWritten: undefined, ...usage },
      { ...added, refusable: added.refusable && actor !== "service" },
      limits.monitoredCells,
      now,
    );
  if (use && "limit" in use) return use;
  if (customer) transaction.update(customer.ref, { ...next, ...use });
  return undefined;
}

type WithCounts<Stored> = Omit<Stored, "monitoredCells" | "geometryChanges" | "measuredIn"> & {
  monitoredCells: number;
  geometryChanges: Date[];
  measuredIn?: readonly string[] | undefined;
};

/** Returns a changed map with its cells, the times of its geometry changes and where it has been measured, or the limit that it would exceed. */
export function withCounts<Stored extends CountedMap>(
  before: CountedMap,
  after: Stored,
  { counted, actor, now }: Request,
): WithCounts<Stored> | MapLimit {
  const earlier = before.geometryChanges ?? [];
  const changes = isSameShape(before, after) ? earlier : withGeometryChange(earlier, now);
  if (typeof changes === "number" && actor !== "service")
    return { limit: "geometryChanges", most: GEOMETRY_CHANGES_MAX, retryAfterSeconds: changes };
  const known = counted && isSameShape(counted, after) ? counted : undefined;
  const cells = known ? known.cells : before.monitoredCells;
  return {
    ...after,
    monitoredCells: after.isMonitored ? (cells ?? 0) : 0,
    geometryChanges: [...(typeof changes === "number" ? earlier : changes)],
    ...(before.measuredIn ? { measuredIn: [...new Set([...before.measuredIn, ...(known?.countries ?? [])])].sort() } : {}),
  };
}

/** Returns the size of a map's geometry in bytes. An id counts 8 bytes, as in Firestore. */
function bytesOf(map: Shape | undefined): number {
  return map ? Buffer.byteLength(map.geometry ?? "") + 8 * (map.ids?.length ?? 0) : 0;
}
