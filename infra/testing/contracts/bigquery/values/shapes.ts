import type { Case } from "../query-values.ts";

const TRIANGLE = "ST_GEOGFROMTEXT('POLYGON((1 1, 20 1, 10 20, 1 1))')";
const OCTANT = "ST_GEOGFROMTEXT('POLYGON((0 0, 90 0, 0 90, 0 0))')";
const RING = "ST_GEOGFROMTEXT('POLYGON((0 0, 10 0, 10 10, 0 10, 0 0), (4 4, 4 6, 6 6, 6 4, 4 4))')";
const TWO = "ST_GEOGFROMTEXT('MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((178 0, -178 0, 180 3, 178 0)))')";

function each(test: string, numbers: string): string {
  return `ARRAY(SELECT ${test} FROM UNNEST(${numbers}) AS i WITH OFFSET AS o ORDER BY o)`;
}

/**
 * Polygons. The triangle is the example of BigQuery's pages on ST_CONTAINS, ST_COVERS and ST_INTERSECTS; the octant is an eighth of a sphere
 * of 6,371,010 m.
 */
export const SHAPES: readonly Case[] = [
  [each(`ST_CONTAINS(${TRIANGLE}, ST_GEOGPOINT(i, i))`, "[0, 1, 10]"), "BOOLEAN[]", ["false", "false", "true"]],
  [each(`ST_COVERS(${TRIANGLE}, ST_GEOGPOINT(i, i))`, "[0, 1, 10]"), "BOOLEAN[]", ["false", "true", "true"]],
  [each(`ST_WITHIN(ST_GEOGPOINT(i, i), ${TRIANGLE})`, "[0, 1, 10]"), "BOOLEAN[]", ["false", "false", "true"]],
  [each(`ST_COVEREDBY(ST_GEOGPOINT(i, i), ${TRIANGLE})`, "[0, 1, 10]"), "BOOLEAN[]", ["false", "true", "true"]],
  [each(`ST_INTERSECTS(${TRIANGLE}, ST_GEOGPOINT(i, i))`, "[0, 1, 10]"), "BOOLEAN[]", ["false", "true", "true"]],
  [each(`ST_DISJOINT(${TRIANGLE}, ST_GEOGPOINT(i, i))`, "[0, 1, 10]"), "BOOLEAN[]", ["true", "false", "false"]],
  // A hole is outside. The ring's northern edge bends beyond its parallel.
  [each(`ST_CONTAINS(${RING}, ST_GEOGPOINT(i, 5))`, "[2, 5, 11]"), "BOOLEAN[]", ["true", "false", "false"]],
  [`ST_CONTAINS(${RING}, ST_GEOGPOINT(5, 10.03))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${RING}, ST_GEOGPOINT(5, 10.05))`, "BOOLEAN", "false"],
  [`ST_CONTAINS(${RING}, ST_GEOGFROMTEXT('LINESTRING(1 1, 1 9)'))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${RING}, ST_GEOGFROMTEXT('LINESTRING(1 5, 9 5)'))`, "BOOLEAN", "false"],
  [`ST_CONTAINS(${RING}, ST_GEOGFROMTEXT('POLYGON((1 1, 3 1, 3 3, 1 1))'))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${RING}, ST_GEOGFROMTEXT('POLYGON((1 1, 9 1, 9 9, 1 9, 1 1))'))`, "BOOLEAN", "false"],
  [`ST_INTERSECTS(${RING}, ST_GEOGFROMTEXT('POLYGON((4.5 4.5, 5 4.5, 5 5, 4.5 4.5))'))`, "BOOLEAN", "false"],
  [`ST_INTERSECTS(${RING}, ST_GEOGFROMTEXT('LINESTRING(-1 5, 5 5)'))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${TWO}, ST_GEOGPOINT(180, 1))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${TWO}, ST_GEOGPOINT(0.7, 0.2))`, "BOOLEAN", "true"],
  [`ST_CONTAINS(${TWO}, ST_GEOGPOINT(90, 0.2))`, "BOOLEAN", "false"],
  ["ST_CONTAINS(NULL, ST_GEOGPOINT(1, 1))", "BOOLEAN", null],
  // The direction in which a ring is written does not matter: the smaller side is meant.
  ["ST_CONTAINS(ST_GEOGFROMTEXT('POLYGON((0 0, 0 10, 10 10, 10 0, 0 0))'), ST_GEOGPOINT(5, 5))", "BOOLEAN", "true"],
  [`ST_DISTANCE(${RING}, ST_GEOGPOINT(2, 2))`, "FLOAT", "0.0"],
  ["ROUND(ST_DISTANCE(ST_GEOGFROMTEXT('POLYGON((1 -1, 2 -1, 2 1, 1 1, 1 -1))'), ST_GEOGPOINT(0, 0)), 3)", "FLOAT", "111195.101"],
  [`ST_DWITHIN(${RING}, ST_GEOGPOINT(2, 2), 0)`, "BOOLEAN", "true"],
  [`ST_DWITHIN(${RING}, ST_GEOGPOINT(12, 2), 1000)`, "BOOLEAN", "false"],
  [`ROUND(ST_AREA(${OCTANT}) / (ACOS(-1) / 2 * 6371010 * 6371010), 12)`, "FLOAT", "1.0"],
  [`ROUND(ST_PERIMETER(${OCTANT}) / (ACOS(-1) * 1.5 * 6371010), 12)`, "FLOAT", "1.0"],
  [`ROUND(ST_X(ST_CENTROID(${OCTANT})), 9)`, "FLOAT", "45.0"],
  // The middle of an octant is as far from each of its corners: asin(1 / sqrt(3)).
  [`ROUND(ST_Y(ST_CENTROID(${OCTANT})), 9)`, "FLOAT", "35.264389683"],
  ["ST_AREA(ST_GEOGPOINT(0, 0))", "FLOAT", "0.0"],
  ["ROUND(ST_LENGTH(ST_GEOGFROMTEXT('LINESTRING(0 0, 0 1, 0 2)')), 3)", "FLOAT", "222390.202"],
  ["ST_LENGTH(ST_GEOGPOINT(0, 0))", "FLOAT", "0.0"],
  ["ROUND(ST_X(ST_CENTROID(ST_GEOGFROMTEXT('MULTIPOINT(0 0, 10 0)'))), 9)", "FLOAT", "5.0"],
  ["ROUND(ST_Y(ST_CENTROID(ST_GEOGFROMTEXT('LINESTRING(5 0, 5 10)'))), 9)", "FLOAT", "5.0"],
  ["ST_ASTEXT(ST_CENTROID(ST_GEOGPOINT(24.75, 59.4375)))", "STRING", "POINT(24.75 59.4375)"],
  [`ST_GEOMETRYTYPE(${RING})`, "STRING", "ST_Polygon"],
  [`ST_GEOMETRYTYPE(${TWO})`, "STRING", "ST_MultiPolygon"],
  [`ST_DIMENSION(${RING})`, "INTEGER", "2"],
  [`ST_NUMPOINTS(${RING})`, "INTEGER", "10"],
  ["ST_NPOINTS(ST_GEOGPOINT(1, 2))", "INTEGER", "1"],
  ["ST_ASTEXT(ST_STARTPOINT(ST_GEOGFROMTEXT('LINESTRING(1 1, 2 1, 3 2)')))", "STRING", "POINT(1 1)"],
  ["ST_ASTEXT(ST_ENDPOINT(ST_GEOGFROMTEXT('LINESTRING(1 1, 2 1, 3 2)')))", "STRING", "POINT(3 2)"],
  ["ST_ASTEXT(ST_POINTN(ST_GEOGFROMTEXT('LINESTRING(1 1, 2 1, 3 2)'), -2))", "STRING", "POINT(2 1)"],
  ["ST_POINTN(ST_GEOGFROMTEXT('LINESTRING(1 1, 2 1, 3 2)'), 5) IS NULL", "BOOLEAN", "true"],
  ["ST_ASTEXT(ST_MAKELINE(ST_GEOGPOINT(1, 2), ST_GEOGPOINT(3, 4)))", "STRING", "LINESTRING(1 2, 3 4)"],
  ["ST_ASTEXT(ST_GEOGFROM('POINT(1 2)'))", "STRING", "POINT(1 2)"],
  ["ST_ASTEXT(ST_GEOGFROMTEXT('polygon((0 0, 1 0, 1 1, 0 0))'))", "STRING", "POLYGON((0 0, 1 0, 1 1, 0 0))"],
  ["JSON_VALUE(ST_ASGEOJSON(ST_GEOGPOINT(24.75, 59.4375)), '$.type')", "STRING", "Point"],
  ["JSON_QUERY(ST_ASGEOJSON(ST_GEOGPOINT(24.75, 59.4375)), '$.coordinates')", "STRING", "[24.75,59.4375]"],
  [
    "JSON_QUERY(ST_ASGEOJSON(ST_GEOGFROMTEXT('POLYGON((24 59, 24.01 59, 24.01 59.01, 24 59))')), '$.coordinates')",
    "STRING",
    "[[[24,59],[24.01,59],[24.01,59.01],[24,59]]]",
  ],
];
