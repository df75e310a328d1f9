/** The fields of a map that determine a change's effect. */
interface Measured {
  readonly version: number;
  readonly isMonitored: boolean;
}

/** The writes that a change of a map needs besides the map, in the same transaction. */
export interface MonitoringEffect {
  /** The version to deliver to the warehouse; undefined if it needs no delivery. */
  readonly versionToDeliver: number | undefined;
  /** What happens to the map's row in the snapshot. */
  readonly row: "hidden" | "shown" | "as it was";
}

/** Returns the effect of a change of a map. `after` is undefined for a deletion, which is a new version without monitoring. */
export function monitoringEffect(before: Measured, after: Measured | undefined): MonitoringEffect {
  const isMonitored = after?.isMonitored ?? false;
  if (!before.isMonitored && !isMonitored) return { versionToDeliver: undefined, row: "as it was" };
  const versionToDeliver = after?.version ?? before.version + 1;
  if (before.isMonitored === isMonitored) return { versionToDeliver, row: "as it was" };
  return { versionToDeliver, row: isMonitored ? "shown" : "hidden" };
}

/** Returns whether delivering a version completes a pending change. It does not if the change has become newer in the meantime. */
export function isDeliveredBy(change: { readonly version: number }, version: number): boolean {
  return change.version <= version;
}

/** Returns whether a customer's map is monitored in this version: only then may a headcount of the version be shown. */
export function isMonitoredAs(
  map: (Measured & { readonly uid: string }) | undefined,
  { uid, version }: { readonly uid: string; readonly version: number },
): boolean {
  return map !== undefined && map.uid === uid && map.isMonitored && map.version === version;
}
