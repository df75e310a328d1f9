import { bqCommand } from "./bq/client.ts";
import type { Client } from "./client.ts";
import { pythonBigQuery } from "./python-bigquery/client.ts";

/** Every client that `npm run clients` runs, in this order. */
export const clients: readonly Client[] = [pythonBigQuery, bqCommand];
