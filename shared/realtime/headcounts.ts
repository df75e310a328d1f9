import * as v from "valibot";
import type { CountryRules, CountryTable } from "../countries/country-rules.ts";
import { stepOf } from "../countries/step.ts";
import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { STALE_AFTER_MS } from "./headcount.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How far back a tick looks for a measurement. Presence is kept for this long. */
const PRESENCE_KEPT_MS = 2 * DAY;

/** A tick, ISO 8601. */
const NewestTick = v.pipe(
  v.object({ tick: v.object({ value: v.string() }) }),
  v.transform(({ tick }) => tick.value),
);

/**
 * Returns a query of the newest complete presence ticks of the countries, as of a tick: distinct, in ascending order. It reads only the
 * ledger. It has no rows if no tick arrived in two days.
 */
export function newestTicksStatement(tick: Date): Statement<string> {
  return statement(
    NewestTick,
    `SELECT DISTINCT tick
FROM (
  SELECT MAX(tick) AS tick
  FROM \`mobility.batches\`
  WHERE table_name = 'presence' AND tick > @oldest AND tick <= @tick
  GROUP BY country_code
)
ORDER BY tick`,
    tickParameters(tick),
  );
}

/** One version of a map, to measure it alone. */
export interface MapVersion {
  readonly uid: string;
  readonly mapId: string;
  readonly version: number;
}

/**
 * Returns one statement for all customers and maps, or for one map. It appends the headcount of each monitored map at a tick to `realtime.headcounts`, from
 * the newest complete presence tick of each country. It adds nothing for a map that has a row of the tick, so running it again adds nothing.
 *
 * - It reads published cells alone. What else there is decides nothing, neither the result nor its timestamp: a map with withheld cells and
 *   one with nobody have the same row. A sum below one step is withheld as well, by the largest step of the countries that the map reaches.
 * - A row that was appended twice counts once. A polygon that lacks some of its cells has no headcount: a part would look like the whole.
 * - A late tick measures each map as of the tick. Versions superseded over two hours ago are not kept; the oldest one left stands for them.
 * - It never measures a map that is no longer monitored, not even for an earlier tick.
 * - The timestamp is the oldest tick in the ledger of the countries that the map reaches, where it has published cells or lies in the network.
 * - A map that reaches into the network of a country without any tick has no headcount: a partial count would look like the whole.
 * @param newest the result of `newestTicksStatement`. The statement reads only the hours of these ticks from presence. BigQuery prunes
 * partitions by constants and parameters only, so the statement cannot find them itself. A country that fell silent adds only the hour of
 * its last tick.
 * @param only the version of a map to measure alone. It adds nothing if the warehouse has a newer version, or not yet this one.
 */
export function headcountsStatement(tick: Date, table: CountryTable, newest: readonly string[], only?: MapVersion): Statement<never> {
  const read = Object.entries(newest.length === 0 ? [tick.toISOString()] : newest);
  const ticks: Parameters = Object.fromEntries(read.map(([index, value]) => [`tick_${index}`, { type: "TIMESTAMP", value }]));
  const inTicks = `IN (${Object.keys(ticks)
    .map((name) => `@${name}`)
    .join(", ")})`;
  const rules = Object.entries(table).map(([code, country]) => `SELECT '${code}' AS country_code, ${leastOf(country)} AS people_min`);
  return statement(
    NoRow,
    `INSERT INTO \`realtime.headcounts\` (tick, timestamp, uid, target_id, target_name, people_count, result)
WITH rules AS (
  ${rules.join("\n  UNION ALL ")}
),
versions AS (
${only ? VERSION_OF_MAP : VERSIONS_AT_TICK}
),
appended AS (
  SELECT added.map_id, added.uid, added.name, added.country_code, added.geo_type, added.geo_ids, added.geometry_hash, added.cell_parts,
    ROW_NUMBER() OVER (PARTITION BY added.map_id ORDER BY added.appended_at) AS copy
  FROM \`realtime.monitored_maps\` AS added
  JOIN versions ON versions.map_id = added.map_id AND versions.in_force = added.version
  WHERE added.is_monitored${only ? " AND added.map_id = @map_id" : ""}
),
stored AS (
  SELECT geometry_hash, part, country_code, cells,
    ROW_NUMBER() OVER (PARTITION BY geometry_hash, part ORDER BY appended_at) AS copy
  FROM \`realtime.map_cells\`
  WHERE geometry_hash IN (SELECT appended.geometry_hash FROM appended)${only ? " AND uid = @uid" : ""}
),
maps AS (
  SELECT appended.map_id, appended.uid, appended.name, COALESCE(stored.country_code, appended.country_code) AS country_code,
    appended.geo_type, appended.geo_ids, appended.cell_parts, stored.part, stored.cells
  FROM appended
  LEFT JOIN stored ON stored.geometry_hash = appended.geometry_hash AND stored.copy = 1
  WHERE appended.copy = 1
),
ticks AS (
  SELECT country_code, MAX(tick) AS tick
  FROM \`mobility.batches\`
  WHERE table_name = 'presence' AND tick ${inTicks}
  GROUP BY country_code
),
targets AS (
  SELECT maps.map_id, ANY_VALUE(maps.uid) AS uid, ANY_VALUE(maps.name) AS name, MAX(ticks.tick) AS tick,
    COUNT(maps.part) < MAX(COALESCE(maps.cell_parts, 0)) AS lacks_cells
  FROM maps
  LEFT JOIN ticks ON ticks.country_code = maps.country_code
  GROUP BY maps.map_id
),
covered AS (
  SELECT maps.map_id, maps.country_code, cell.cell_id, cell.weight
  FROM maps, UNNEST(maps.cells) AS cell
  UNION ALL
  SELECT maps.map_id, maps.country_code, inside.cell_id, inside.weight
  FROM maps, UNNEST(maps.geo_ids) AS wanted
  JOIN \`mobility.geography_cells\` AS inside
    ON inside.country_code = maps.country_code AND inside.geo_type = maps.geo_type AND inside.geo_id = wanted
),
measured AS (
  SELECT presence.country_code, presence.cell_id, presence.people
  FROM \`realtime.presence\` AS presence
  JOIN (SELECT ticks.country_code, ticks.tick FROM ticks JOIN rules ON rules.country_code = ticks.country_code) AS newest
    ON newest.country_code = presence.country_code AND newest.tick = presence.tick
  WHERE presence.tick ${inTicks}
),
counted AS (
  SELECT covered.map_id, covered.country_code, SUM(covered.weight * measured.people) AS people
  FROM covered
  JOIN measured ON measured.country_code = covered.country_code AND measured.cell_id = covered.cell_id
  GROUP BY covered.map_id, covered.country_code
),
uncounted AS (
  SELECT maps.map_id, maps.country_code, maps.geo_type, maps.geo_ids, maps.cells
  FROM maps
  LEFT JOIN counted ON counted.map_id = maps.map_id AND counted.country_code = maps.country_code
  WHERE counted.map_id IS NULL
),
reached AS (
  SELECT map_id, country_code
  FROM counted
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.cells) AS cell
  JOIN \`mobility.geography_cells\` AS network
    ON network.country_code = uncounted.country_code AND network.geo_type = 'grid_250m' AND network.cell_id = cell.cell_id
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.cells) AS cell
  JOIN \`mobility.coverage\` AS network
    ON network.country_code = uncounted.country_code AND network.northing = MOD(cell.cell_id, 10000000)
      AND cell.cell_id BETWEEN network.first_cell_id AND network.last_cell_id
  UNION DISTINCT
  SELECT uncounted.map_id, uncounted.country_code
  FROM uncounted, UNNEST(uncounted.geo_ids) AS wanted
  JOIN \`mobility.geography_cells\` AS inside
    ON inside.country_code = uncounted.country_code AND inside.geo_type = uncounted.geo_type AND inside.geo_id = wanted
),
sums AS (
  SELECT reached.map_id, ROUND(SUM(counted.people)) AS people, MAX(rules.people_min) AS people_min, MIN(ticks.tick) AS tick,
    LOGICAL_OR(ticks.tick IS NULL) AS is_without_tick
  FROM reached
  LEFT JOIN counted ON counted.map_id = reached.map_id AND counted.country_code = reached.country_code
  LEFT JOIN rules ON rules.country_code = reached.country_code
  LEFT JOIN ticks ON ticks.country_code = reached.country_code
  GROUP BY reached.map_id
),
judged AS (
  SELECT targets.uid, targets.map_id, targets.name, sums.people, COALESCE(sums.tick, targets.tick, @tick) AS timestamp,
    CASE
      WHEN targets.lacks_cells THEN 'NO_DATA'
      WHEN sums.map_id IS NULL THEN 'OUT_OF_COVERAGE'
      WHEN sums.is_without_tick THEN 'NO_DATA'
      WHEN sums.tick < @stale_before THEN 'STALE'
      WHEN sums.people >= sums.people_min THEN 'SUCCESS'
      ELSE 'SUPPRESSED'
    END AS result
  FROM targets
  LEFT JOIN sums ON sums.map_id = targets.map_id
)
SELECT @tick, timestamp, uid, map_id, name, IF(result = 'SUCCESS', CAST(people AS INT64), 0), result
FROM judged
WHERE NOT EXISTS (
  SELECT 1 FROM \`realtime.headcounts\` AS done
  WHERE done.tick = @tick AND done.timestamp > @oldest AND done.target_id = judged.map_id
)`,
    { ...tickParameters(tick), ...ticks, ...(only && versionParameters(only)) },
  );
}

/** Returns the fewest people of a headcount: a step, and k where the provider protects its data itself. */
function leastOf(country: CountryRules): number {
  return Math.max(country.k, stepOf(country));
}

/** The version of each map that is in force at a tick, unless its newest version says that it is not monitored. */
const VERSIONS_AT_TICK = `  SELECT map_id, COALESCE(MAX(IF(appended_at <= @tick, version, NULL)), MIN(version)) AS in_force
  FROM \`realtime.monitored_maps\`
  GROUP BY map_id
  HAVING MAX(IF(is_monitored, version, NULL)) = MAX(version)`;

/** The wanted version of one map, if it is the newest and monitored. */
const VERSION_OF_MAP = `  SELECT map_id, MAX(version) AS in_force
  FROM \`realtime.monitored_maps\`
  WHERE map_id = @map_id
  GROUP BY map_id
  HAVING MAX(version) = @version AND MAX(IF(is_monitored, version, NULL)) = @version`;

function versionParameters({ uid, mapId, version }: MapVersion): Parameters {
  return {
    uid: { type: "STRING", value: uid },
    map_id: { type: "STRING", value: mapId },
    version: { type: "INT64", value: version },
  };
}

/** The parameters of a tick: of statements that read what it measures, and its headcounts. */
export function tickParameters(tick: Date) {
  const at = (time: number) => ({ type: "TIMESTAMP" as const, value: new Date(time).toISOString() });
  return {
    tick: at(tick.getTime()),
    oldest: at(tick.getTime() - PRESENCE_KEPT_MS),
    stale_before: at(tick.getTime() - STALE_AFTER_MS),
  };
}
