/** The sides of an extent: the columns of `mobility.geographies`, degrees (WGS 84). */
export const EXTENT_SIDES = ["west", "south", "east", "north"] as const;

/** The longitudes and the latitudes of a WKT text: numbers in pairs. */
const PAIRS = { lon: "([^\\s(),]+)\\s+[^\\s(),]+", lat: "[^\\s(),]+\\s+([^\\s(),]+)" } as const;

/** Returns GoogleSQL expressions for the extent of the WKT in a column. It is null where the text is. Each side takes about a microsecond a point. */
export function wktExtent(column: string): Readonly<Record<(typeof EXTENT_SIDES)[number], string>> {
  const furthest = (which: "MIN" | "MAX", pair: string): string =>
    `(SELECT ${which}(CAST(value AS FLOAT64)) FROM UNNEST(REGEXP_EXTRACT_ALL(${column}, r'${pair}')) AS value)`;
  return {
    west: furthest("MIN", PAIRS.lon),
    south: furthest("MIN", PAIRS.lat),
    east: furthest("MAX", PAIRS.lon),
    north: furthest("MAX", PAIRS.lat),
  };
}
