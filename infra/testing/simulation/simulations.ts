import { simulateJobs } from "./jobs/simulate-jobs.ts";
import type { Simulate } from "./report.ts";
import { simulateTicks } from "./ticks/simulate-ticks.ts";

/** The simulations, by the name that `npm run simulate -- --what` takes. */
export const SIMULATIONS = { jobs: simulateJobs, ticks: simulateTicks } as const satisfies Readonly<Record<string, Simulate>>;

export type Subject = keyof typeof SIMULATIONS;

/** The schedules that the test suite runs of each simulation. `npm run simulate` runs more. */
export const SUITE = { seed: 1, schedules: 1000 } as const;
