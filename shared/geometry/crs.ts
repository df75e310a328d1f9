/** The projections of the countries' grids. */
export const CRSS = ["EPSG:3035", "EPSG:25833"] as const;
export type Crs = (typeof CRSS)[number];

/** A position in a projection, metres. */
export interface Position {
  readonly easting: number;
  readonly northing: number;
}

/** A box in degrees. */
export type Extent = readonly [west: number, south: number, east: number, north: number];

/** The extent of each projection. Contains the extents of the grids; points outside are never projected. */
export const CRS_EXTENTS: Readonly<Record<Crs, Extent>> = {
  "EPSG:3035": [-36, 24, 45, 85],
  "EPSG:25833": [0, 54, 34, 75],
};
