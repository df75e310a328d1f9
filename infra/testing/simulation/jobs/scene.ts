import type { JobMessage } from "../../../../shared/jobs/job-message.ts";
import { CALM } from "../faults.ts";
import type { World } from "../world.ts";
import type { Cloud } from "./job-path.ts";
import type { Plan } from "./plan.ts";

/** The state that the invariants check. */
export interface Scene extends Cloud {
  readonly world: World;
  readonly plan: Plan;
  /** The message of each delivery, by process. */
  readonly deliveries: ReadonlyMap<string, JobMessage>;
  /** The deliveries that the topic has given up, as `job attempt.step`. */
  readonly buried: ReadonlySet<string>;
}

/** Returns the maximum duration of a call in this schedule, in milliseconds. */
export function latencyMax({ plan: { weather } }: Scene): number {
  const { slow, slowMs, usualMs } = weather.rates;
  return Math.max(usualMs, slow > 0 ? slowMs : 0, CALM.usualMs);
}
