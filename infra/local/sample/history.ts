import type { DuckDBConnection } from "@duckdb/node-api";
import { coverPolygon } from "../../../shared/geometry/coverage.ts";
import { parsePolygon } from "../../../shared/geometry/wkt.ts";
import { CUSTOMER_DATASETS } from "../../../shared/realtime/customer-tables.ts";
import type { SampleSize } from "./cells.ts";
import { makeCells } from "./land.ts";
import { instant } from "./literals.ts";
import { MONITORED_MAP } from "./monitored-map.ts";
import { presenceQuery, publishedCells, TICK_SECONDS, tickBefore } from "./presence.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";
import { makeTable } from "./tables.ts";
import { inOneTransaction, runAll } from "./transaction.ts";

const WEEKS = 8;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** Whose history it is: the customer and its map. */
export interface HistoryOf {
  readonly uid: string;
  readonly mapId: string;
}

/** Returns the tables that have the headcounts of a customer. */
export function headcountTables(uid: string): string[] {
  return ["realtime.headcounts", ...CUSTOMER_DATASETS.map((dataset) => `${dataset}.headcounts_${uid}`)];
}

/**
 * Adds eight weeks of headcounts of the monitored map before an instant, in one transaction: of every five minutes, from the same presence
 * as the ticks of the sample, published like these. The customer's own tables must be there, and have them too. Does nothing if the map has
 * older headcounts already.
 */
export async function loadHistory(connection: DuckDBConnection, { seed, scale }: SampleSize, of: HistoryOf, now: Date): Promise<void> {
  // The map is measured as soon as it is monitored: a headcount of today is not its history.
  const known = await connection.runAndReadAll("SELECT 1 FROM realtime.headcounts WHERE target_id = $1 AND tick < $2 LIMIT 1", [
    of.mapId,
    new Date(now.getTime() - DAY_MS).toISOString(),
  ]);
  if (known.currentRowCount > 0) return;
  const { code, step, grid } = estonia();
  const parsed = parsePolygon(MONITORED_MAP.geometry);
  if (!parsed.ok) throw new Error(parsed.detail);
  await makeCells(connection, { seed, scale });
  const { cells } = coverPolygon(parsed.polygon, grid);
  await makeTable(
    connection,
    "sample_monitored",
    "cell_id BIGINT, weight DOUBLE",
    cells.map(({ cellId, weight }) => ({ cell_id: cellId, weight })),
  );
  await connection.run(`DELETE FROM sample_cells WHERE country <> '${code}' OR cell_id NOT IN (SELECT cell_id FROM sample_monitored)`);
  const last = tickBefore(now, TICK_SECONDS);
  const ticks = { seed, scale, first: new Date(last.getTime() - WEEKS * WEEK_MS), last, tickSeconds: TICK_SECONDS };
  // No scheduled tick is at a millisecond: one that finds a row of its own time leaves out the map.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE sample_history AS
    SELECT tick + INTERVAL 1 MILLISECOND AS tick, tick AS timestamp, $1 AS uid, $2 AS target_id, $3 AS target_name,
      if(counted >= ${step}, counted, 0)::BIGINT AS people_count, if(counted >= ${step}, 'SUCCESS', 'SUPPRESSED') AS result
    FROM (SELECT unnest(generate_series(${instant(ticks.first)}, ${instant(last)}, INTERVAL ${TICK_SECONDS} SECOND)) AS tick)
    LEFT JOIN (SELECT tick, round(sum(weight * people)) AS counted
      FROM (${publishedCells(`(${presenceQuery(ticks)})`)}) JOIN sample_monitored USING (cell_id) GROUP BY tick) USING (tick)
    ORDER BY tick`,
    [of.uid, of.mapId, MONITORED_MAP.name],
  );
  await inOneTransaction(connection, () =>
    runAll(
      connection,
      headcountTables(of.uid).map((table) => `INSERT INTO ${table} BY NAME SELECT * FROM sample_history`),
    ),
  );
  await runAll(
    connection,
    ["cells", "monitored", "history"].map((name) => `DROP TABLE sample_${name}`),
  );
}

function estonia() {
  const country = SAMPLE_COUNTRIES.find(({ code }) => code === "EST");
  if (!country) throw new Error("the sample has no Estonia");
  return { ...country, grid: { crs: country.crs, eastingOffset: country.eastingOffset, extent: [21, 57, 29, 60] as const } };
}
