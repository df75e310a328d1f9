/** The projections that grids of countries are laid in. */
export const CRSS = ["EPSG:3035", "EPSG:25833"] as const;
export type Crs = (typeof CRSS)[number];

/** A position in a projection, metres. */
export interface Position {
  readonly easting: number;
  readonly northing: number;
}

/** Degrees. */
export type Extent = readonly [west: number, south: number, east: number, north: number];

/** Where each projection is used: the extents of grids lie within, and nothing beyond is ever projected. */
export const CRS_EXTENTS: Readonly<Record<Crs, Extent>> = {
  "EPSG:3035": [-36, 24, 45, 85],
  "EPSG:25833": [0, 54, 34, 75],
};
