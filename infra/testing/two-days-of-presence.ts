import { at, type RealtimeWarehouse, startRealtimeWarehouse } from "./realtime-warehouse.ts";

const HOUR = 60;
/** The first tick of both countries, in minutes after noon; the last is at noon. */
const FIRST = -48 * HOUR + 5;
const LEDGER = "country_code, 'presence' AS table_name, tick, 1 AS version, 3 AS row_count, tick AS loaded_at";

export interface TwoDaysOfPresence extends RealtimeWarehouse {
  /** Returns the number of published cells in the hours of some ticks. Default: all hours. */
  readonly rowsInHoursOf: (...ticks: Date[]) => Promise<number>;
  /** Makes a country's feed end with a tick. */
  readonly silence: (country: "EST" | "LAT", last: Date) => Promise<void>;
}

/** Starts a local BigQuery with all retained published presence: a tick every five minutes, and a different number of cells in each hour. */
export async function startTwoDaysOfPresence(): Promise<TwoDaysOfPresence> {
  const warehouse = await startRealtimeWarehouse();
  const connection = await warehouse.connection();
  const instant = (time: Date): string => `TIMESTAMPTZ '${time.toISOString()}'`;
  const ticks = `(SELECT unnest(generate_series(${instant(at(FIRST))}, ${instant(at(0))}, INTERVAL 5 MINUTE)) AS tick)
    CROSS JOIN (SELECT unnest(['EST', 'LAT']) AS country_code)`;
  const hour = `date_diff('hour', ${instant(at(FIRST))}, tick)`;
  await connection.run(`INSERT INTO realtime.presence BY NAME SELECT tick, country_code, cell_id, 40 AS people
    FROM ${ticks} CROSS JOIN LATERAL (SELECT unnest(range(1, 4 + ${hour})) AS cell_id)`);
  await connection.run(`INSERT INTO mobility.batches BY NAME SELECT ${LEDGER} FROM ${ticks}`);
  return {
    ...warehouse,
    rowsInHoursOf: async (...times) => {
      const hours = times.map((time) => `date_trunc('hour', ${instant(time)})`);
      const within = times.length === 0 ? "" : ` WHERE date_trunc('hour', tick) IN (${hours.join(", ")})`;
      const counted = await connection.runAndReadAll(`SELECT count(*) FROM realtime.presence${within}`);
      return Number(counted.getRows()[0]?.[0]);
    },
    silence: async (country, last) => {
      for (const table of ["realtime.presence", "mobility.batches"])
        await connection.run(`DELETE FROM ${table} WHERE country_code = '${country}' AND tick > ${instant(last)}`);
    },
    close: async () => {
      connection.closeSync();
      await warehouse.close();
    },
  };
}
