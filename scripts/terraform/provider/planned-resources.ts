import * as v from "valibot";

/** A resource that a plan creates: what of it is known before it is there. */
export interface PlannedResource {
  readonly address: string;
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const Plan = v.object({
  type: v.literal("test_plan"),
  "@testrun": v.string(),
  test_plan: v.object({
    resource_changes: v.optional(
      v.array(
        v.object({
          address: v.string(),
          mode: v.string(),
          type: v.string(),
          change: v.object({ after: v.nullish(v.record(v.string(), v.unknown())) }),
        }),
      ),
      [],
    ),
  }),
});

/** Returns what each run of a `terraform test -json -verbose` plans, by the run's name. */
export function plannedResources(lines: readonly unknown[]): Map<string, PlannedResource[]> {
  const plans = new Map<string, PlannedResource[]>();
  for (const line of lines) {
    const plan = v.safeParse(Plan, line);
    if (!plan.success) continue;
    const { "@testrun": name, test_plan: planned } = plan.output;
    const resources = planned.resource_changes.filter(({ mode }) => mode === "managed");
    plans.set(
      name,
      resources.map(({ address, type, change }) => ({ address, type, values: change.after ?? {} })),
    );
  }
  return plans;
}
