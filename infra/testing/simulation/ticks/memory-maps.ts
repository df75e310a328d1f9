import { cellChange } from "../../../../shared/maps/cell-budget.ts";
import type { MapChangeStore, PendingMapChange } from "../../../../shared/maps/map-outbox.ts";
import type { CustomerMap, MapStore } from "../../../../shared/maps/maps.ts";
import { isDeliveredBy, isMonitoredAs, monitoringEffect } from "../../../../shared/maps/monitoring-effect.ts";
import type { Headcount } from "../../../../shared/realtime/headcount.ts";
import { hiddenUntilDelivered, replaceRows, type Snapshot, shownRows, TIMESTAMP_MAX } from "../../../../shared/realtime/snapshot.ts";
import type { SnapshotStore } from "../../../../shared/realtime/snapshots.ts";
import type { Process } from "../process.ts";

/** In-memory maps, their pending changes, and the snapshots: Firestore keeps them together, for transactions over all of them. */
export interface MemoryMaps {
  readonly all: () => readonly CustomerMap[];
  readonly get: (id: string) => CustomerMap | undefined;
  readonly add: (map: CustomerMap) => void;
  readonly owed: () => readonly PendingMapChange[];
  /** The newest version that was ever pending for the warehouse, by map. */
  readonly promised: ReadonlyMap<string, number>;
  /** Since when a map is enabled. */
  readonly shownSince: ReadonlyMap<string, Date>;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly shown: (uid: string) => readonly Headcount[];
  readonly portsOf: (process: Process) => {
    readonly maps: MapStore;
    readonly changes: MapChangeStore;
    readonly snapshots: Pick<SnapshotStore, "write" | "add">;
  };
}

const EMPTY: Snapshot = { tick: undefined, rows: [], measured: {}, hidden: {} };

/**
 * @param watch called after every transaction, with the snapshot that it replaced, if any
 * @param refuse may throw to make the write of a customer's snapshot fail
 */
export function memoryMaps(
  watch: (replaced?: { readonly uid: string; readonly before: Snapshot }) => void,
  refuse: (uid: string) => void,
): MemoryMaps {
  const stored = new Map<string, CustomerMap>();
  const changes = new Map<string, PendingMapChange>();
  const snapshots = new Map<string, Snapshot>();
  const promised = new Map<string, number>();
  const shownSince = new Map<string, Date>();
  const snapshotOf = (uid: string): Snapshot => snapshots.get(uid) ?? EMPTY;
  const hide = (uid: string, id: string, until: Date): void => {
    const snapshot = snapshotOf(uid);
    snapshots.set(uid, { ...snapshot, hidden: { ...snapshot.hidden, [id]: until } });
  };
  const note = (before: CustomerMap, after: CustomerMap | undefined, now: Date): void => {
    const { id, uid } = before;
    const { versionToDeliver, row } = monitoringEffect(before, after);
    if (versionToDeliver !== undefined) changes.set(id, { mapId: id, uid, version: versionToDeliver, changedAt: now });
    // The expected state must not come from the code under test.
    if (before.isMonitored || after?.isMonitored) promised.set(id, after?.version ?? before.version + 1);
    if (!before.isMonitored && after?.isMonitored) shownSince.set(id, now);
    if (row === "shown") hide(uid, id, now);
    if (row === "hidden") hide(uid, id, TIMESTAMP_MAX);
    watch();
  };
  const own = (uid: string, id: string): CustomerMap | undefined => {
    const map = stored.get(id);
    return map?.uid === uid ? map : undefined;
  };
  const noSuchCall = (): Promise<never> => Promise.reject(new Error("no simulation makes this call"));

  const mapsOf = ({ step }: Process): MapStore => ({
    create: noSuchCall,
    list: noSuchCall,
    monitoredIds: noSuchCall,
    get: (id) => step(`maps.get ${id}`, () => stored.get(id)),
    update: ({ uid, id, now, counted }, change) =>
      step(
        `maps.update ${id}`,
        () => {
          const map = own(uid, id);
          if (!map) return undefined;
          const changed = { ...map, ...change(map), version: map.version + 1 };
          if (map.isMonitored) cellChange(map, changed, counted);
          stored.set(id, changed);
          note(map, changed, now);
          return changed;
        },
        { mayRepeat: true },
      ),
    remove: ({ uid, id, now }) =>
      step(
        `maps.remove ${id}`,
        () => {
          const map = own(uid, id);
          if (!map) return undefined;
          stored.delete(id);
          note(map, undefined, now);
          return map;
        },
        { mayRepeat: true },
      ),
    setMonitored: ({ uid, id, isMonitored, now, counted }) =>
      step(
        `maps.setMonitored ${id} ${isMonitored}`,
        () => {
          const map = own(uid, id);
          if (!map || map.isMonitored === isMonitored) return map && { map, changed: false };
          const changed = { ...map, isMonitored, version: map.version + 1 };
          cellChange(map, changed, counted);
          stored.set(id, changed);
          note(map, changed, now);
          return { map: changed, changed: true };
        },
        { mayRepeat: true },
      ),
  });

  const changesOf = ({ step }: Process): MapChangeStore => ({
    get: (id) => step(`changes.get ${id}`, () => changes.get(id)),
    waiting: (since, limit) =>
      step("changes.waiting", () =>
        [...changes.values()]
          .filter(({ changedAt }) => changedAt <= since)
          .sort((a, b) => a.changedAt.getTime() - b.changedAt.getTime())
          .slice(0, limit),
      ),
    postpone: (id, now) =>
      step(`changes.postpone ${id}`, () => {
        const change = changes.get(id);
        if (change) changes.set(id, { ...change, changedAt: now });
      }),
    markDelivered: (id, version) =>
      step(
        `changes.markDelivered ${id} v${version}`,
        () => {
          const change = changes.get(id);
          if (change && isDeliveredBy(change, version)) changes.delete(id);
        },
        { mayRepeat: true },
      ),
  });

  const snapshotsOf = ({ step }: Process): Pick<SnapshotStore, "write" | "add"> => ({
    write: (uid, tick, rows, now) =>
      step(
        `snapshots.write ${uid} ${tick.toISOString().slice(11, 19)}`,
        () => {
          refuse(uid);
          const before = snapshotOf(uid);
          const delivered = new Set(hiddenUntilDelivered(before).filter((id) => !changes.has(id)));
          const next = replaceRows(before, tick, rows, { delivered, now });
          if (next) snapshots.set(uid, next);
          watch({ uid, before });
        },
        { mayRepeat: true },
      ),
    add: (uid, row, version) =>
      step(
        `snapshots.add ${row.targetId} v${version}`,
        () => {
          refuse(uid);
          if (!isMonitoredAs(stored.get(row.targetId), { uid, version })) return false;
          const snapshot = snapshotOf(uid);
          snapshots.set(uid, { ...snapshot, measured: { ...snapshot.measured, [row.targetId]: row } });
          watch();
          return true;
        },
        { mayRepeat: true },
      ),
  });

  return {
    all: () => [...stored.values()],
    get: (id) => stored.get(id),
    add: (map) => void stored.set(map.id, map),
    owed: () => [...changes.values()],
    promised,
    shownSince,
    snapshots,
    shown: (uid) => shownRows(snapshotOf(uid)),
    portsOf: (process) => ({ maps: mapsOf(process), changes: changesOf(process), snapshots: snapshotsOf(process) }),
  };
}
