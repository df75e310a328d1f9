import { bigqueryClient } from "../google/bigquery-client.ts";
import type { Config } from "../runtime/config.ts";
import type { MonitoredRow } from "./monitored-rows.ts";

/** The warehouse table of monitored maps. */
export interface MonitoredMaps {
  /** Appends the rows of a version, part 0 last. The version takes effect with part 0. Repeating the call changes no headcount. */
  readonly append: (rows: readonly MonitoredRow[]) => Promise<void>;
}

/** Opens `realtime.monitored_maps`. It uses streaming inserts: rows are visible at once, without a queue of DML statements. */
export function openMonitoredMaps(config: Config): MonitoredMaps {
  // A client waits for the response, and the sweeper retries.
  const bigquery = bigqueryClient(config, { location: config.region, maxRetries: 1 });
  const table = bigquery.dataset("realtime").table("monitored_maps");
  return {
    append: async (rows) => {
      for (const row of [...rows].reverse()) {
        const insertId = `${row.map_id}-${row.version}-${row.part}`;
        await table.insert([{ insertId, json: row }], { raw: true });
      }
    },
  };
}
