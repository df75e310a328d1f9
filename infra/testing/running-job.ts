import { randomUUID } from "node:crypto";
import type { LocalCustomer } from "../../scripts/admin/local/customers.ts";
import { begin, newJob } from "../../shared/jobs/job-state.ts";
import { openJobs } from "../../shared/jobs/jobs.ts";
import { config } from "../../shared/runtime/config.ts";

const window = { start_time: "2020-01-01T00:00:00.000Z", end_time: "2020-01-02T00:00:00.000Z" };

/** A job that reads one day of cells. */
export const JOB_BODY = {
  agg_type: "activities",
  measure: "stays_count",
  activity_type: "daily",
  geo_type: "grid_1000m",
  ...window,
} as const;

/** Stores a running job of the customer, as if its worker had just crashed: no delivery of it is pending. Returns its id. */
export async function runningJob(customer: Pick<LocalCustomer, "uid">): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  const request = { ...JOB_BODY, country_code: "EST", geo_ids: null, full: false, format: "csv" } as const;
  const begun = begin(newJob(now, true), { attempt: 1, step: 0 }, now);
  if (!begun) throw new Error("A new job does not begin");
  await openJobs(config()).submit(customer.uid, {
    now,
    make: () => ({ ...begun, id, uid: customer.uid, keyLabel: "storage", request, result: null }),
  });
  return id;
}
