import { bigqueryClient } from "../google/bigquery-client.ts";
import type { Config } from "../runtime/config.ts";
import type { MonitoredRow } from "./monitored-rows.ts";

/** The warehouse table of monitored maps. */
export interface MonitoredMaps {
  /** Appends a version, which takes effect at once. Repeating the call changes no headcount. */
  readonly append: (row: MonitoredRow) => Promise<void>;
}

/** Opens `realtime.monitored_maps`. It uses streaming inserts: rows are visible at once, without a queue of DML statements. */
export function openMonitoredMaps(config: Config): MonitoredMaps {
  // A client waits for the response, and the sweeper retries.
  const bigquery = bigqueryClient(config, { location: config.region, maxRetries: 1 });
  const table = bigquery.dataset("realtime").table("monitored_maps");
  return {
    append: async (row) => {
      await table.insert([{ insertId: `${row.map_id}-${row.version}`, json: row }], { raw: true });
    },
  };
}
