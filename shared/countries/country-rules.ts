import type { Extent } from "../geometry/crs.ts";
import type { Grid } from "../geometry/grid.ts";

/** The geography types of the service. */
export const GEO_TYPES = ["grid_250m", "grid_1000m", "admin_level_2", "admin_level_4", "osm_links"] as const;
export type GeoType = (typeof GEO_TYPES)[number];

/**
 * How a country models the straight-line distance of a pair: that of the two centroids, computed by the load, or not at all. A provider's
 * mean over trips is never loaded: the mean of a coarser pair less those of its published parts is that of its withheld parts.
 */
export const DISTANCE_RULES = ["centroids", "none"] as const;
export type DistanceRule = (typeof DISTANCE_RULES)[number];

/** The grid of a country. `extents` are boxes that do not overlap; one box rarely fits a country. */
export interface CountryGrid extends Pick<Grid, "crs" | "eastingOffset"> {
  readonly extents: readonly Extent[];
}

/** The service's rules for one country. A new country needs a new entry, but no new code. */
export interface CountryRules {
  readonly name: string;
  /** Other codes that requests can use, upper case. */
  readonly aliases: readonly string[];
  /** The IANA time zone that defines civil days. */
  readonly timeZone: string;
  /** The k threshold: the minimum number of raw devices behind a published value. */
  readonly k: number;
  /** The most people that a device stands for in the provider's scaling; undefined only for protected data. */
  readonly peopleOfDevice: number | undefined;
  /** Whether the provider has protected its counts itself: they are published as they are, from k devices. */
  readonly isProtected: boolean;
  /** Whether the country has the strict profile, see `infra/warehouse/privacy.md`: it publishes less than the standard one. */
  readonly isStrict: boolean;
  /** The most days that the window of a request may have. */
  readonly windowDaysMax: number;
  /** The grid in whose cells people are counted; undefined for a country without a grid. */
  readonly grid: CountryGrid | undefined;
  /** Each product's offer by product name, as written in `countries.json`. The product's schema parses it. */
  readonly offers: Readonly<Record<string, unknown>>;
}

/** Rules by ISO 3166-1 alpha-3 code. */
export type CountryTable = Readonly<Record<string, CountryRules>>;

/** Returns the alpha-3 code for a code or an alias in any letter case, or undefined for an unknown country. */
export function resolveCountry(table: CountryTable, code: string): string | undefined {
  const upper = code.toUpperCase();
  if (Object.hasOwn(table, upper)) return upper;
  return Object.entries(table).find(([, rules]) => rules.aliases.includes(upper))?.[0];
}
