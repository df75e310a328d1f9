import type { Extent } from "../geometry/crs.ts";
import type { Grid } from "../geometry/grid.ts";

/** The kinds of geographies of the service. */
export const GEO_TYPES = ["grid_250m", "grid_1000m", "admin_level_2", "admin_level_4", "osm_links"] as const;
export type GeoType = (typeof GEO_TYPES)[number];

/** How a country models the straight-line distance of a pair: measured by the provider, filled in from centroids when loaded, or not at all. */
export const DISTANCE_RULES = ["measured", "centroids", "none"] as const;
export type DistanceRule = (typeof DISTANCE_RULES)[number];

/** The grid of a country, in boxes that do not overlap: a country is seldom one. */
export interface CountryGrid extends Pick<Grid, "crs" | "eastingOffset"> {
  readonly extents: readonly Extent[];
}

/** What the service offers in one country. A new country is a new entry, never new code. */
export interface CountryRules {
  readonly name: string;
  /** Other codes that requests may use, upper case. */
  readonly aliases: readonly string[];
  /** IANA zone in which days begin. */
  readonly timeZone: string;
  /** A value is publishable when at least this many raw devices stand behind it. */
  readonly k: number;
  /** The grid whose cells people are counted in; undefined for a country without one. */
  readonly grid: CountryGrid | undefined;
  /** What each product offers there, by its name, in the words of `countries.json`: each product's own schema reads it. */
  readonly offers: Readonly<Record<string, unknown>>;
}

/** Rules by ISO 3166-1 alpha-3 code. */
export type CountryTable = Readonly<Record<string, CountryRules>>;

/** The alpha-3 code for a code or an alias in any case; undefined for a country that the service does not have. */
export function resolveCountry(table: CountryTable, code: string): string | undefined {
  const upper = code.toUpperCase();
  if (Object.hasOwn(table, upper)) return upper;
  return Object.entries(table).find(([, rules]) => rules.aliases.includes(upper))?.[0];
}
