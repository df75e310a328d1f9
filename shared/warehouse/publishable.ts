import type { Load } from "./load.ts";

/** The geography types that nest in each other, finest first. */
export const NESTED_LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;

/** The column of `placed` that tells in which geography of a level a row of a finer one lies. */
const WITHIN: Readonly<Record<string, string>> = {
  grid_1000m: "within_grid_1000m",
  admin_level_4: "within_admin_level_4",
  admin_level_2: "within_admin_level_2",
};

/** k of the row's country. */
export function threshold(countries: Load["countries"], alias: string): string {
  return `CASE ${alias}.country_code ${countries.map((_, index) => `WHEN @country_${index} THEN @k_${index}`).join(" ")} END`;
}

/**
 * The rows of activities of several levels with `publishable` decided from the finest level on: a row is withheld below k, and also when the
 * withheld rows of some finer level within it have more than 0 and fewer than k devices, since what is withheld could be told from the rest.
 */
export function decidedRows({ staging, columns, countries, levels }: Load): string {
  const [, ...coarser] = levels;
  const names = columns.map(({ name }) => name);
  const plain = [...names.map((name) => `placed.${name}`), "placed.k", ...Object.values(WITHIN).map((name) => `placed.${name}`)].join(", ");
  const steps = coarser.map((level, index) => {
    const within = WITHIN[level];
    return `weak_${index + 1} AS (
  SELECT DISTINCT country_code, time_bucket, geo_id
  FROM (
    SELECT country_code, time_bucket, geo_type, ${within} AS geo_id
    FROM decided_${index}
    WHERE NOT publishable AND ${within} IS NOT NULL
    GROUP BY country_code, time_bucket, geo_type, ${within}, k
    HAVING SUM(devices) > 0 AND SUM(devices) < k
  )
),
decided_${index + 1} AS (
  SELECT * FROM decided_${index}
  UNION ALL
  SELECT ${plain}, placed.devices >= placed.k AND weak.geo_id IS NULL AS publishable
  FROM placed
  LEFT JOIN weak_${index + 1} AS weak
    ON weak.country_code = placed.country_code AND weak.time_bucket = placed.time_bucket AND weak.geo_id = placed.geo_id
  WHERE placed.geo_type = '${level}'
)`;
  });
  return `WITH placed AS (
  SELECT
    staged.*, ${threshold(countries, "staged")} AS k,
    IF(staged.geo_type = 'grid_250m', ${kilometreCell("staged.geo_id")}, NULL) AS within_grid_1000m,
    IF(staged.geo_type IN ('grid_250m', 'grid_1000m'), geography.parent_id, NULL) AS within_admin_level_4,
    CASE
      WHEN staged.geo_type IN ('grid_250m', 'grid_1000m') THEN area.parent_id
      WHEN staged.geo_type = 'admin_level_4' THEN geography.parent_id
    END AS within_admin_level_2
  FROM \`${staging}\` AS staged
  LEFT JOIN \`mobility.geographies\` AS geography
    ON geography.country_code = staged.country_code AND geography.geo_type = staged.geo_type AND geography.geo_id = staged.geo_id
  LEFT JOIN \`mobility.geographies\` AS area
    ON area.country_code = staged.country_code AND area.geo_type = 'admin_level_4' AND area.geo_id = geography.parent_id
),
decided_0 AS (
  SELECT ${plain}, placed.devices >= placed.k AS publishable
  FROM placed
  WHERE placed.geo_type NOT IN (${coarser.map((level) => `'${level}'`).join(", ")})
),
${steps.join(",\n")}
SELECT ${[...names, "publishable"].join(", ")}
FROM decided_${coarser.length}`;
}

/** The 1 km cell around a 250 m cell: a grid id is easting × 10^7 + northing of the south-west corner, metres. */
function kilometreCell(id: string): string {
  return `${id} - MOD(DIV(${id}, 10000000), 1000) * 10000000 - MOD(MOD(${id}, 10000000), 1000)`;
}
