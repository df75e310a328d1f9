import type { Used } from "./metered-service.ts";

/**
 * List prices in US dollars, without free quotas and discounts, as of 2026-11-23. Firestore: https://cloud.google.com/firestore/pricing (a
 * region, rounded up). Cloud Run, tier 1, billed by request: https://cloud.google.com/run/pricing.
 * BigQuery on demand: https://cloud.google.com/bigquery/pricing (the price of QUERY_PRICE_PER_TIB). Cloud Tasks:
 * https://cloud.google.com/tasks/pricing. Pub/Sub, at least 1 kB a message, published and delivered: https://cloud.google.com/pubsub/pricing.
 */
const LIST_PRICES = {
  asOf: "2026-11-23",
  read: 0.04 / 100_000,
  write: 0.11 / 100_000,
  task: 0.4 / 1_000_000,
  messageByte: 40 / 2 ** 40,
  queryByte: 6.25 / 2 ** 40,
  request: 0.4 / 1_000_000,
  cpuSecond: 0.000024,
  gibSecond: 0.0000025,
} as const;

/** A message is billed as 1,000 bytes, once published and once delivered. */
const BYTES_A_MESSAGE = 2 * 1000;
/** What an instance of a function has. Cloud Run bills by 100 ms begun. */
const INSTANCE = { vcpu: 1, gib: 0.5, billedMs: 100 } as const;

/**
 * Returns the price of a thousand of something in US dollars. `requests`: how many requests of functions one of it takes, and `wallMs`:
 * how long these take in all. Instances are priced as if each served one request at a time, which is the most that they can cost.
 */
export function priceOfThousand(used: Used, { requests, wallMs }: { requests: number; wallMs: number }): { usd: number; as_of: string } {
  const seconds = (Math.max(requests, Math.ceil(wallMs / INSTANCE.billedMs)) * INSTANCE.billedMs) / 1000;
  const one =
    used.reads * LIST_PRICES.read +
    used.writes * LIST_PRICES.write +
    used.tasks * LIST_PRICES.task +
    used.messages * BYTES_A_MESSAGE * LIST_PRICES.messageByte +
    used.bytesBilled * LIST_PRICES.queryByte +
    requests * LIST_PRICES.request +
    seconds * (INSTANCE.vcpu * LIST_PRICES.cpuSecond + INSTANCE.gib * LIST_PRICES.gibSecond);
  return { usd: 1000 * one, as_of: LIST_PRICES.asOf };
}
