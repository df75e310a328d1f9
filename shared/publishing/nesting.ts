/** The geography types that nest, finest first. */
export const NESTED_LEVELS = ["grid_250m", "grid_1000m", "admin_level_4", "admin_level_2"] as const;
export type Level = (typeof NESTED_LEVELS)[number];

/** The version of the publishing rule. A file that was loaded under an earlier version counts as a new load. */
export const PUBLISHING_RULE_VERSION = 7;

/** Returns an expression for the index of a geography type among `levels`: 0 for the finest, null for a type that does not nest. */
export function levelOf(type: string, levels: readonly string[]): string {
  return `CASE ${type} ${levels.map((level, index) => `WHEN '${level}' THEN ${index}`).join(" ")} END`;
}

/** Returns an expression for the 1 km cell around a 250 m cell. A grid id is easting × 10^7 + northing of the south-west corner, metres. */
export function kilometreCell(id: string): string {
  return `${id} - MOD(DIV(${id}, 10000000), 1000) * 10000000 - MOD(MOD(${id}, 10000000), 1000)`;
}
