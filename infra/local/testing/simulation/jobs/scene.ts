import type { JobMessage } from "../../../../../shared/jobs/job-message.ts";
import { CALM } from "../faults.ts";
import type { World } from "../world.ts";
import type { Cloud } from "./job-path.ts";
import type { Plan } from "./plan.ts";

/** What the invariants look at. */
export interface Scene extends Cloud {
  readonly world: World;
  readonly plan: Plan;
  /** What each process that is a delivery was given. */
  readonly deliveries: ReadonlyMap<string, JobMessage>;
  /** The deliveries that the topic has given up on, as `job attempt.step`. */
  readonly buried: ReadonlySet<string>;
}

/** How long a call of this schedule takes at most, in milliseconds. */
export function latencyMax({ plan: { weather } }: Scene): number {
  const { slow, slowMs, usualMs } = weather.rates;
  return Math.max(usualMs, slow > 0 ? slowMs : 0, CALM.usualMs);
}
