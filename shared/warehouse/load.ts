import type { DistanceRule } from "../domain/country-rules.ts";
import { decidedRows, threshold } from "./publishable.ts";
import { type Parameters, type Statement, statement } from "./statement.ts";

/** Rows in a staging table, on their way into a table of `mobility`. All in it has been checked. */
export interface Load {
  /** The table's name in `mobility`, which is also its name in the ledger. */
  readonly table: string;
  /** The staging table, `staging.import_…`, with `columns` under the table's own names; a GEOGRAPHY is WKT there. */
  readonly staging: string;
  readonly columns: readonly LoadColumn[];
  /** The columns in which an old row must agree with a new one to be replaced; with `batch_date` for facts. */
  readonly replaces: readonly string[];
  /** The countries of the rows. */
  readonly countries: readonly { readonly code: string; readonly k: number; readonly distance: DistanceRule }[];
  /** The first and the last day of facts; undefined for what is no fact. */
  readonly days: { readonly first: string; readonly last: string } | undefined;
  /** The nested geography types of activities that the rows are of, finest first; empty when they are of one. */
  readonly levels: readonly string[];
  readonly checksum: string;
}

interface LoadColumn {
  readonly name: string;
  readonly isGeography: boolean;
}

/** Filled in from centroids where a country's rule says so and the rows do not hold it. */
const DISTANCE = "general_distance_m";

/**
 * One script in one transaction: batches whose newest version is already this one are left out, the others' old rows are deleted, the new ones inserted with
 * `publishable` decided, and the ledger appended. Whoever comes second of two at once sees the first one's ledger.
 */
export function loadStatement(load: Load): Statement {
  const sql = `BEGIN TRANSACTION;

DELETE FROM \`${load.staging}\` staged
WHERE EXISTS (
  SELECT 1
  FROM (
    SELECT country_code, batch_date, checksum
    FROM \`mobility.batches\`
    WHERE ${ledgerFilter(load)}
    QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)
      AND COUNT(*) OVER (PARTITION BY country_code, batch_date, version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum AND newest.country_code = staged.country_code${load.days ? " AND newest.batch_date = staged.batch_date" : ""}
);

DELETE FROM \`mobility.${load.table}\` target
WHERE ${targetFilter(load)};

INSERT INTO \`mobility.${load.table}\` (${insertedColumns(load).join(", ")})
${newRows(load)};

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  loaded.country_code, @table_name, loaded.batch_date, CAST(NULL AS TIMESTAMP), COALESCE(earlier.version, 0) + 1,
  loaded.row_count, loaded.suppressed_count, @checksum, CURRENT_TIMESTAMP()
FROM (
  ${loadedBatches(load)}
) AS loaded
LEFT JOIN (
  SELECT country_code, batch_date, MAX(version) AS version
  FROM \`mobility.batches\`
  WHERE ${ledgerFilter(load)}
  GROUP BY country_code, batch_date
) AS earlier
  ON earlier.country_code = loaded.country_code${load.days ? " AND earlier.batch_date = loaded.batch_date" : ""};

COMMIT TRANSACTION`;
  return statement(sql, parametersOf(load));
}

/**
 * The newest versions of the batches of a load in the ledger: `country_code`, `period` (the day as text, or null), `version`, `row_count`,
 * `suppressed_count`, `checksum`. Two rows of one batch: two loads at once made the same version, and the batch must be loaded again.
 */
export function ledgerStatement(load: Pick<Load, "table" | "countries" | "days">): Statement {
  const sql = `SELECT country_code, FORMAT_DATE('%F', batch_date) AS period, version, row_count, suppressed_count, checksum
FROM \`mobility.batches\`
WHERE ${ledgerFilter(load)}
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, batch_date)`;
  return statement(sql, parametersOf({ ...load, checksum: "" }));
}

/**
 * Ids of a staging table that what they refer to does not know: one row, `unknown_ids` (how many different ones) and `examples`.
 * @param reference the column of ids, and the column of their geography types when they are ids of `geographies`
 */
export function unknownIdsStatement(
  staging: string,
  reference: { readonly id: string; readonly table: "geographies" | "road_links"; readonly geoType?: string },
): Statement {
  const { id, table, geoType } = reference;
  const [knownId, ...types] = table === "geographies" ? ["geo_id", `known.geo_type = staged.${geoType}`] : ["link_id"];
  const on = ["known.country_code = staged.country_code", ...types, `known.${knownId} = staged.${id}`].join(" AND ");
  const sql = `SELECT COUNT(*) AS unknown_ids, ARRAY_AGG(id ORDER BY id LIMIT 5) AS examples
FROM (
  SELECT DISTINCT staged.${id} AS id
  FROM \`${staging}\` AS staged
  LEFT JOIN \`mobility.${table}\` AS known ON ${on}
  WHERE known.${knownId} IS NULL
)`;
  return statement(sql, {});
}

function parametersOf({ table, countries, days, checksum }: Pick<Load, "table" | "countries" | "days" | "checksum">): Parameters {
  return {
    table_name: { type: "STRING", value: table },
    checksum: { type: "STRING", value: checksum },
    ...(days && { first_date: { type: "DATE", value: days.first }, last_date: { type: "DATE", value: days.last } }),
    ...Object.fromEntries(countries.map(({ code }, index) => [`country_${index}`, { type: "STRING", value: code } as const])),
    ...Object.fromEntries(countries.map(({ k }, index) => [`k_${index}`, { type: "INT64", value: k } as const])),
  };
}

/** The countries as parameters: constants, so that clusters are pruned. */
function countryList(countries: Load["countries"]): string {
  return `(${countries.map((_, index) => `@country_${index}`).join(", ")})`;
}

function ledgerFilter({ countries, days }: Pick<Load, "countries" | "days">): string {
  const batches = days ? "batch_date BETWEEN @first_date AND @last_date" : "batch_date IS NULL AND tick IS NULL";
  return `table_name = @table_name AND country_code IN ${countryList(countries)} AND ${batches}`;
}

/** The rows of the target that belong to what is loaded. BETWEEN prunes the partitions, EXISTS picks the batches among them. */
function targetFilter({ staging, countries, days, replaces }: Load): string {
  const prune = days ? "target.batch_date BETWEEN @first_date AND @last_date\n  AND " : "";
  const same = replaces.map((column) => `staged.${column} = target.${column}`).join(" AND ");
  return `${prune}target.country_code IN ${countryList(countries)}
  AND EXISTS (SELECT 1 FROM \`${staging}\` AS staged WHERE ${same})`;
}

function insertedColumns(load: Load): string[] {
  const names = load.columns.map(({ name }) => name);
  return [...names, ...(fillsDistance(load) && !names.includes(DISTANCE) ? [DISTANCE] : []), ...(load.days ? ["publishable"] : [])];
}

/** Whether distances of pairs are computed: some country's rule says so. */
function fillsDistance({ table, countries }: Load): boolean {
  return table === "odm_daily" && countries.some(({ distance }) => distance === "centroids");
}

function newRows(load: Load): string {
  if (load.levels.length > 1) return decidedRows(load);
  const values = insertedColumns(load).map((name) => {
    if (name === "publishable") return `staged.devices >= ${threshold(load.countries, "staged")} AS publishable`;
    if (name === DISTANCE && fillsDistance(load)) return `${distance(load)} AS ${DISTANCE}`;
    const isGeography = load.columns.some((column) => column.name === name && column.isGeography);
    return isGeography ? `ST_GEOGFROMTEXT(staged.${name}) AS ${name}` : `staged.${name}`;
  });
  const centroid = (side: "origin" | "destination"): string => `
LEFT JOIN \`mobility.geographies\` AS ${side}
  ON ${side}.country_code = staged.country_code AND ${side}.geo_type = staged.${side}_geo_type AND ${side}.geo_id = staged.${side}_geo_id`;
  return `SELECT ${values.join(", ")}
FROM \`${load.staging}\` AS staged${fillsDistance(load) ? centroid("origin") + centroid("destination") : ""}`;
}

/** The distance of the two centroids on BigQuery's sphere, metres, where the row holds none and its country's rule asks for it. */
function distance({ columns, countries }: Load): string {
  const codes = countries.flatMap(({ distance: rule }, index) => (rule === "centroids" ? [`@country_${index}`] : []));
  const between = "ST_DISTANCE(ST_GEOGPOINT(origin.lon, origin.lat), ST_GEOGPOINT(destination.lon, destination.lat))";
  const filled = codes.length === countries.length ? between : `IF(staged.country_code IN (${codes.join(", ")}), ${between}, NULL)`;
  return columns.some(({ name }) => name === DISTANCE) ? `COALESCE(staged.${DISTANCE}, ${filled})` : filled;
}

/** Rows and withheld rows of each batch: of facts from the target, which holds them now, of the rest from what came. */
function loadedBatches(load: Load): string {
  if (!load.days)
    return `SELECT country_code, CAST(NULL AS DATE) AS batch_date, COUNT(*) AS row_count, 0 AS suppressed_count
  FROM \`${load.staging}\`
  GROUP BY country_code`;
  return `SELECT target.country_code, target.batch_date, COUNT(*) AS row_count, COUNTIF(NOT target.publishable) AS suppressed_count
  FROM \`mobility.${load.table}\` AS target
  WHERE ${targetFilter(load)}
  GROUP BY target.country_code, target.batch_date`;
}
