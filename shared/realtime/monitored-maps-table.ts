import { bigqueryClient } from "../google/bigquery-client.ts";
import type { Config } from "../runtime/config.ts";
import type { MonitoredRow } from "./monitored-rows.ts";

/** What realtime measures, in the warehouse. */
export interface MonitoredMaps {
  /** Appends the rows of a version, part 0 last: until it is there the version is not in force. Repeating it changes no headcount. */
  readonly append: (rows: readonly MonitoredRow[]) => Promise<void>;
}

/** `realtime.monitored_maps`, by streaming inserts: visible at once, and no queue of DML statements. */
export function openMonitoredMaps(config: Config): MonitoredMaps {
  // Somebody waits for the answer, and the sweeper tries again.
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
