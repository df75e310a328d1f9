/** Longitude and latitude in degrees. */
export type Position = readonly [lon: number, lat: number];

/** WGS84: the equatorial radius in metres and the square of the first eccentricity. */
const RADIUS = 6_378_137;
const ECCENTRICITY_SQUARED = 0.006694379990141317;

/**
 * Returns the metres between two positions a few kilometres apart on the ellipsoid, from the radii of curvature at the mid-latitude (the
 * mid-latitude formula). The error is less than a millimetre.
 */
function metresBetween([lon, lat]: Position, [toLon, toLat]: Position): number {
  const { east, north } = metresOfDegree((lat + toLat) / 2);
  return Math.hypot((toLon - lon) * east, (toLat - lat) * north);
}

/** Returns the metres from a position to a line. The nearest point is found on a plane, its distance on the ellipsoid. */
export function metresToLine(position: Position, line: readonly Position[]): number {
  const { east, north } = metresOfDegree(position[1]);
  return line.slice(1).reduce((least, [toLon, toLat], index) => {
    const [lon, lat] = line[index] ?? position;
    const [x, y] = [(toLon - lon) * east, (toLat - lat) * north];
    const along = x * (position[0] - lon) * east + y * (position[1] - lat) * north;
    const share = Math.min(1, Math.max(0, along / (x * x + y * y || 1)));
    return Math.min(least, metresBetween(position, [lon + share * (toLon - lon), lat + share * (toLat - lat)]));
  }, Number.POSITIVE_INFINITY);
}

/** Returns the metres per degree of longitude and of latitude at a latitude. */
export function metresOfDegree(latitude: number): { readonly east: number; readonly north: number } {
  const radians = (latitude * Math.PI) / 180;
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(radians) ** 2);
  const degree = (RADIUS * Math.PI) / 180;
  return { east: (degree * Math.cos(radians)) / root, north: (degree * (1 - ECCENTRICITY_SQUARED)) / root ** 3 };
}
