/** What the effect of a change depends on. */
interface Measured {
  readonly version: number;
  readonly isMonitored: boolean;
}

/** What a change of a map asks for beside the map itself, in the same transaction. */
export interface MonitoringEffect {
  /** The version that the warehouse is to be told of; undefined when it need not know. */
  readonly versionToDeliver: number | undefined;
  /** What becomes of the map's row in the snapshot. */
  readonly row: "hidden" | "shown" | "as it was";
}

/** The effect of a change of a map. `after` is undefined for one that is deleted: that is a version of its own, which is not monitored. */
export function monitoringEffect(before: Measured, after: Measured | undefined): MonitoringEffect {
  const isMonitored = after?.isMonitored ?? false;
  if (!before.isMonitored && !isMonitored) return { versionToDeliver: undefined, row: "as it was" };
  const versionToDeliver = after?.version ?? before.version + 1;
  if (before.isMonitored === isMonitored) return { versionToDeliver, row: "as it was" };
  return { versionToDeliver, row: isMonitored ? "shown" : "hidden" };
}

/** Whether a change is owed no more once the warehouse knows a version: a newer change may have come meanwhile. */
export function isDeliveredBy(change: { readonly version: number }, version: number): boolean {
  return change.version <= version;
}
