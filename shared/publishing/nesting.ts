/** The geography types that nest, finest first. */
export const NESTED_LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;
export type Level = (typeof NESTED_LEVELS)[number];

/** The version of the publishing rule. A file that was loaded under an earlier version counts as a new load. */
export const PUBLISHING_RULE_VERSION = 4;

/** Returns an expression for the index of a geography type among `levels`: 0 for the finest, null for a type that does not nest. */
export function levelOf(type: string, levels: readonly string[]): string {
  return `CASE ${type} ${levels.map((level, index) => `WHEN '${level}' THEN ${index}`).join(" ")} END`;
}

/**
 * Joins of `mobility.geographies`, and for each level an expression for the id of the row's geography there: null if the row is coarser.
 */
interface NestingJoins {
  readonly joins: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** Returns the nesting of the rows under an alias, by `geo_type` and `geo_id` with the prefix `side`. */
export function nestingJoins(alias: string, side: "" | "origin_" | "destination_"): NestingJoins {
  const [type, id] = [`${alias}.${side}geo_type`, `${alias}.${side}geo_id`];
  const [geography, area] = [`${side}geography`, `${side}area`];
  const ids: Record<Level, string> = {
    grid_250m: `CASE ${type} WHEN 'grid_250m' THEN ${id} END`,
    grid_1000m: `CASE ${type} WHEN 'grid_250m' THEN ${kilometreCell(id)} WHEN 'grid_1000m' THEN ${id} END`,
    admin_level_4: `CASE WHEN ${type} IN ('grid_250m', 'grid_1000m') THEN ${geography}.parent_id WHEN ${type} = 'admin_level_4' THEN ${id} END`,
    admin_level_2: `CASE ${type} WHEN 'admin_level_2' THEN ${id} WHEN 'admin_level_4' THEN ${geography}.parent_id ELSE ${area}.parent_id END`,
  };
  return {
    joins: `LEFT JOIN \`mobility.geographies\` AS ${geography}
    ON ${geography}.country_code = ${alias}.country_code AND ${geography}.geo_type = ${type} AND ${geography}.geo_id = ${id}
  LEFT JOIN \`mobility.geographies\` AS ${area}
    ON ${area}.country_code = ${alias}.country_code AND ${area}.geo_type = 'admin_level_4' AND ${area}.geo_id = ${geography}.parent_id`,
    ids,
  };
}

/** Returns an expression for the 1 km cell around a 250 m cell. A grid id is easting × 10^7 + northing of the south-west corner, metres. */
export function kilometreCell(id: string): string {
  return `${id} - MOD(DIV(${id}, 10000000), 1000) * 10000000 - MOD(MOD(${id}, 10000000), 1000)`;
}
