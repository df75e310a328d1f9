import * as v from "valibot";
import { SubmitResponse } from "../../../shared/aggregation/job-schemas.ts";
import type { Ready } from "../../local/ready-file.ts";
import type { Random } from "../simulation/random.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { StubbornClient } from "./stubborn-client.ts";

export interface SubmittedJob {
  readonly id: string;
  readonly customer: ChaosCustomer;
  readonly full: boolean;
}

const DAY_MS = 86_400_000;

/** Draws the body of a job: any product, with or without an export, of one or two days before today. */
function bodyOf(random: Random, full: boolean, today: Date): object {
  const day = Math.floor(today.getTime() / DAY_MS) - random.whole(2, 9);
  const end_time = new Date(day * DAY_MS).toISOString();
  const start_time = new Date((day - random.whole(1, 2)) * DAY_MS).toISOString();
  const common = { country_code: "EST", start_time, end_time, full, ...(full ? { format: random.pick(["csv", "json", "parquet"]) } : {}) };
  if (random.chance(0.5)) {
    const geo_type = random.pick(["admin_level_2", "admin_level_4"]);
    return { ...common, agg_type: "activities", measure: "sum_unique_people", activity_type: random.pick(["hourly", "daily"]), geo_type };
  }
  return {
    ...common,
    agg_type: "odm",
    measure: "trips",
    activity_type: "daily",
    origin_geo_type: "grid_1000m",
    destination_geo_type: "grid_1000m",
  };
}

/** Submits one job under an Idempotency-Key, retrying as needed, and returns it. Throws when the service refuses it. */
export async function submitJob(
  ready: Ready,
  client: StubbornClient,
  { customer, index, random }: { readonly customer: ChaosCustomer; readonly index: number; readonly random: Random },
): Promise<SubmittedJob> {
  const full = random.chance(0.4);
  const { status, body } = await client.call({
    method: "POST",
    url: `${ready.data_base_url}/data-agg`,
    key: customer.key,
    body: bodyOf(random, full, new Date()),
    headers: { "idempotency-key": `chaos-${index}` },
  });
  if (status !== 202) throw new Error(`Job ${index} got status ${status}: ${JSON.stringify(body)}`);
  return { id: v.parse(SubmitResponse, body).job_id, customer, full };
}
