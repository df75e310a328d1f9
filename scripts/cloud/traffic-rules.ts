import * as v from "valibot";

/** Where a share of a service's requests goes. */
const Target = v.object({
  revisionName: v.optional(v.string()),
  percent: v.optional(v.number(), 0),
  latestRevision: v.optional(v.boolean(), false),
  tag: v.optional(v.string()),
});

/** A service as `gcloud run services list --format=json` prints it, as far as this file reads it. */
const Service = v.object({
  metadata: v.object({ name: v.string(), labels: v.optional(v.record(v.string(), v.string()), {}) }),
  spec: v.object({ traffic: v.optional(v.array(Target), []) }),
  status: v.object({
    latestCreatedRevisionName: v.optional(v.string(), ""),
    latestReadyRevisionName: v.optional(v.string(), ""),
    traffic: v.optional(v.array(Target), []),
  }),
});
export const Services = v.array(Service);
export type Service = v.InferOutput<typeof Service>;

/** A revision as `gcloud run revisions list --format=json` prints it. */
const Revision = v.object({
  metadata: v.object({ name: v.string(), creationTimestamp: v.string(), labels: v.record(v.string(), v.string()) }),
  status: v.object({ conditions: v.optional(v.array(v.object({ type: v.string(), status: v.string() })), []) }),
});
export const Revisions = v.array(Revision);
export type Revision = v.InferOutput<typeof Revision>;

/** The percentage of a service's requests by revision. */
export type Shares = ReadonlyMap<string, number>;

/** The functions' services: Terraform labels each with its function. Others in the project are left alone. */
export function functionServices(services: readonly Service[]): Service[] {
  return services.filter(({ metadata }) => metadata.labels.function !== undefined);
}

/** Whether requests come from outside, so that a release gets them step by step. Workers and schedules switch at once. */
export function isEndpoint({ metadata }: Service): boolean {
  return metadata.labels.trigger === "http";
}

/** Returns the shares that a service has now. */
export function sharesOf({ status }: Service): Shares {
  const shares = new Map<string, number>();
  for (const { revisionName, percent } of status.traffic)
    if (revisionName !== undefined && percent > 0) shares.set(revisionName, (shares.get(revisionName) ?? 0) + percent);
  return shares;
}

/** Whether a new revision of the service would get requests as soon as it is ready. */
export function followsLatest({ spec }: Service): boolean {
  return spec.traffic.length === 0 || spec.traffic.some(({ latestRevision, percent }) => latestRevision && percent > 0);
}

/**
 * Returns the shares in which the newest revision has `percent` and the one before has the rest. The one before is that with the largest
 * share beside the newest, so that a release which was interrupted goes on from the same one. A service without one serves its first revision.
 */
export function sharesWith(service: Service, percent: number): Shares {
  const latest = service.status.latestReadyRevisionName;
  const [before] = [...sharesOf(service)].filter(([name]) => name !== latest).sort(([, a], [, b]) => b - a);
  return before === undefined || percent >= 100
    ? new Map([[latest, 100]])
    : new Map([
        [latest, percent],
        [before[0], 100 - percent],
      ]);
}

export function areEqual(one: Shares, other: Shares): boolean {
  return one.size === other.size && [...one].every(([name, percent]) => other.get(name) === percent);
}

/** Returns the newest ready revision of a commit for each service that has one, by service. */
export function revisionsOf(revisions: readonly Revision[], commit: string): Map<string, string> {
  const ready = revisions.filter(
    ({ metadata, status }) =>
      metadata.labels.commit === commit && status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
  );
  const ordered = ready.sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp));
  return new Map(ordered.map(({ metadata }) => [metadata.labels["serving.knative.dev/service"] ?? "", metadata.name]));
}
