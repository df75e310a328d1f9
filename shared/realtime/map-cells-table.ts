import { createHash } from "node:crypto";
import * as v from "valibot";
import type { CountryTable } from "../countries/country-rules.ts";
import { openWarehouse } from "../google/bigquery.ts";
import { bigqueryClient } from "../google/bigquery-client.ts";
import { type Statement, statement } from "../google/statement.ts";
import type { Config } from "../runtime/config.ts";

/** A row of `realtime.map_cells`. */
export interface CellsRow {
  readonly uid: string;
  readonly geometry_hash: string;
  readonly part: number;
  readonly parts: number;
  readonly country_code: string;
  readonly cells: readonly { readonly cell_id: number; readonly weight: number }[];
  readonly appended_at: string;
}

const StandingPart = v.object({ part: v.number(), parts: v.number() });
/** A row of cells that is in the warehouse, and how many rows its geometry has. */
export type StandingPart = v.InferOutput<typeof StandingPart>;

/** The warehouse table of polygons' cells. */
export interface MapCells {
  /** Returns the rows of a geometry that are there and stay for an hour at least, whatever changes meanwhile. */
  readonly standing: (uid: string, geometryHash: string, now: Date) => Promise<readonly StandingPart[]>;
  /** Appends rows. Repeating the call changes no headcount. */
  readonly append: (rows: readonly CellsRow[]) => Promise<void>;
}

/** A delivery takes less. The compaction leaves what has been referred to within two hours. */
const RELIED_ON_MS = 3_600_000;

/**
 * Returns a query of the rows of a geometry that a delivery may rely on: appended within an hour, or referred to by a version of a map that is
 * not superseded, or has been for less than an hour. The compaction removes none of them within the next hour.
 */
export function standingPartsStatement(uid: string, geometryHash: string, now: Date): Statement<StandingPart> {
  return statement(
    StandingPart,
    `SELECT stored.part, MAX(stored.parts) AS parts
FROM \`realtime.map_cells\` AS stored
WHERE stored.uid = @uid AND stored.geometry_hash = @geometry_hash
  AND (stored.appended_at >= @since OR stored.geometry_hash IN (
    SELECT referring.geometry_hash
    FROM \`realtime.monitored_maps\` AS referring
    WHERE referring.uid = @uid AND referring.geometry_hash = @geometry_hash
      AND NOT EXISTS (
        SELECT 1 FROM \`realtime.monitored_maps\` AS newer
        WHERE newer.map_id = referring.map_id AND newer.version > referring.version AND newer.appended_at < @since
      )
  ))
GROUP BY stored.part
ORDER BY stored.part`,
    {
      uid: { type: "STRING", value: uid },
      geometry_hash: { type: "STRING", value: geometryHash },
      since: { type: "TIMESTAMP", value: new Date(now.getTime() - RELIED_ON_MS).toISOString() },
    },
  );
}

/** Opens `realtime.map_cells`. It uses streaming inserts: rows are visible at once. */
export function openMapCells(config: Config): MapCells {
  const warehouse = openWarehouse(config);
  // A client waits for the response, and the sweeper retries.
  const table = bigqueryClient(config, { location: config.region, maxRetries: 1 }).dataset("realtime").table("map_cells");
  return {
    standing: (uid, geometryHash, now) =>
      warehouse.query(standingPartsStatement(uid, geometryHash, now), { customer: uid, purpose: "map-cells" }),
    append: async (rows) => {
      for (const row of rows) await table.insert([{ insertId: `${row.geometry_hash}-${row.part}`, json: row }], { raw: true });
    },
  };
}

/** Stands for how cells are computed and split into rows. Another number makes all cells be computed again. */
const FORM = 1;

/**
 * Returns the name under which the cells of a customer's polygon stand in the warehouse, 64 hexadecimal digits: of what decides them. It
 * contains the customer, so that nobody learns whether another has the same polygon.
 * @param table the rules of the customer's countries
 */
export function geometryHash(uid: string, geometry: string, table: CountryTable): string {
  const grids = Object.entries(table)
    .map(([code, { grid }]) => [code, grid] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([FORM, uid, geometry, grids]))
    .digest("hex");
}
