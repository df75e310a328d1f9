const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const POINT = String.raw`\s*${NUMBER}\s+${NUMBER}\s*`;
const LINE = String.raw`\s*\(${POINT}(?:,${POINT})+\)\s*`;
const RING = String.raw`\s*\(${POINT}(?:,${POINT}){3,}\)\s*`;
const AREA = String.raw`\s*\(${RING}(?:,${RING})*\)\s*`;

/** Regular expressions (RE2) for well-known text: a line, and the shapes that a geography may have. */
export const WKT = {
  line: `(?i)\\s*LINESTRING${LINE}`,
  shape: String.raw`(?i)\s*(?:POLYGON${AREA}|MULTIPOLYGON\s*\(${AREA}(?:,${AREA})*\)\s*|LINESTRING${LINE}|MULTILINESTRING\s*\(${LINE}(?:,${LINE})*\)\s*)`,
} as const;

/** Returns a DuckDB condition: the text has a point outside of longitudes -180 to 180 or latitudes -90 to 90. */
export function isOffTheGlobe(text: string): string {
  const beyond = (group: number, limit: number): string =>
    `len(list_filter(regexp_extract_all(${text}, '(${NUMBER})\\s+(${NUMBER})', ${group}), lambda d: abs(TRY_CAST(d AS DOUBLE)) > ${limit})) > 0`;
  return `(${beyond(1, 180)} OR ${beyond(2, 90)})`;
}

/** Returns a DuckDB expression for the longitudes or latitudes of all points of a text, as a list. */
export function coordinatesOf(text: string, axis: "lon" | "lat"): string {
  const group = axis === "lon" ? 1 : 2;
  return `list_transform(regexp_extract_all(${text}, '(${NUMBER})\\s+(${NUMBER})', ${group}), lambda d: TRY_CAST(d AS DOUBLE))`;
}
