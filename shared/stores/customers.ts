import * as v from "valibot";

/** `customers/{uid}`: how much of the service a customer uses and may use. `running` and `waiting` count its unfinished jobs. */
export const Customer = v.object({
  name: v.string(),
  countries: v.pipe(v.array(v.string()), v.readonly()),
  defaultCountry: v.string(),
  limits: v.object({ runningJobs: v.number(), unfinishedJobs: v.number() }),
  running: v.number(),
  waiting: v.number(),
  personalDataset: v.nullable(v.string()),
  status: v.picklist(["provisioning", "active", "suspended"]),
});
export type Customer = v.InferOutput<typeof Customer>;

/** What a customer gets unless the operator says otherwise. */
export const DEFAULT_LIMITS = { runningJobs: 5, unfinishedJobs: 200 } as const;
