import type { Case } from "../query-values.ts";

const NAN = "CAST('NaN' AS FLOAT64)";

function over(numbers: string, aggregate: string): string {
  return `SELECT ${aggregate} FROM UNNEST(${numbers}) AS x`;
}

function ranked(call: string): string {
  return `ARRAY(SELECT ${call} FROM UNNEST([10, 20, 20, 30]) AS x WITH OFFSET AS o ORDER BY o)`;
}

function within(line: string, point: string, metres: number): string {
  return `ST_DWITHIN(ST_GEOGFROMTEXT('${line}'), ST_GEOGPOINT(${point}), ${metres})`;
}

export const AGGREGATES: readonly Case[] = [
  [over("[1, NULL, 1]", "COUNT(*)"), "INTEGER", "3"],
  [over("[1, NULL, 1]", "COUNT(x)"), "INTEGER", "2"],
  [over("[1, NULL, 1]", "COUNT(DISTINCT x)"), "INTEGER", "1"],
  [over("[1, NULL, 3]", "COUNTIF(x > 1)"), "INTEGER", "1"],
  [over("[1, NULL, 3]", "SUM(x)"), "INTEGER", "4"],
  [over("[2, 2]", "SUM(DISTINCT x)"), "INTEGER", "2"],
  [over("[1.5, 2]", "SUM(x)"), "FLOAT", "3.5"],
  [over("[NUMERIC '0.1', NUMERIC '0.2']", "SUM(x)"), "NUMERIC", "0.3"],
  ["SELECT SUM(x) FROM UNNEST([1]) AS x WHERE x > 1", "INTEGER", null],
  ["SELECT COUNT(*) FROM UNNEST([1]) AS x WHERE x > 1", "INTEGER", "0"],
  [over("[1, 2, NULL]", "AVG(x)"), "FLOAT", "1.5"],
  [over("[2, NULL, 1]", "MIN(x)"), "INTEGER", "1"],
  [over("['b', 'a']", "MAX(x)"), "STRING", "b"],
  [over(`[1.5, ${NAN}]`, "MIN(x)"), "FLOAT", "NaN"],
  [over(`[1.5, ${NAN}]`, "MAX(x)"), "FLOAT", "NaN"],
  [over("[DATE '2026-01-02', DATE '2026-01-01']", "MIN(x)"), "DATE", "2026-01-01"],
  [over("[7, 7]", "ANY_VALUE(x)"), "INTEGER", "7"],
  [over("[TRUE, NULL]", "LOGICAL_AND(x)"), "BOOLEAN", "true"],
  [over("[TRUE, FALSE]", "LOGICAL_AND(x)"), "BOOLEAN", "false"],
  [over("[FALSE, TRUE]", "LOGICAL_OR(x)"), "BOOLEAN", "true"],
  [over("[CAST(NULL AS BOOL)]", "LOGICAL_OR(x)"), "BOOLEAN", null],
  [over("[3, 1, 2]", "ARRAY_AGG(x ORDER BY x DESC LIMIT 2)"), "INTEGER[]", ["3", "2"]],
  [over("[1, NULL]", "ARRAY_AGG(x IGNORE NULLS)"), "INTEGER[]", ["1"]],
  [over("[2, 1, 2]", "ARRAY_AGG(DISTINCT x ORDER BY x)"), "INTEGER[]", ["1", "2"]],
  ["SELECT ARRAY_AGG(x) IS NULL FROM UNNEST([1]) AS x WHERE x > 1", "BOOLEAN", "true"],
  [over("['b', NULL, 'a']", "STRING_AGG(x ORDER BY x)"), "STRING", "a,b"],
  [over("['b', 'a']", "STRING_AGG(x, ' - ' ORDER BY x DESC LIMIT 1)"), "STRING", "b"],
  [over("[CAST(NULL AS STRING)]", "STRING_AGG(x)"), "STRING", null],
  [over("[1, 2, 2, NULL]", "APPROX_COUNT_DISTINCT(x)"), "INTEGER", "2"],
];

export const WINDOWS: readonly Case[] = [
  [ranked("ROW_NUMBER() OVER (ORDER BY x DESC, o)"), "INTEGER[]", ["4", "2", "3", "1"]],
  [ranked("RANK() OVER (ORDER BY x)"), "INTEGER[]", ["1", "2", "2", "4"]],
  [ranked("DENSE_RANK() OVER (ORDER BY x)"), "INTEGER[]", ["1", "2", "2", "3"]],
  // Without a frame, rows with equal keys are counted together.
  [ranked("SUM(x) OVER (ORDER BY x)"), "INTEGER[]", ["10", "50", "50", "80"]],
  [ranked("SUM(x) OVER (ORDER BY o ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"), "INTEGER[]", ["10", "30", "40", "50"]],
  [ranked("COUNT(*) OVER (PARTITION BY x)"), "INTEGER[]", ["1", "2", "2", "1"]],
  [ranked("COUNTIF(x > 10) OVER ()"), "INTEGER[]", ["3", "3", "3", "3"]],
  ["ARRAY(SELECT x FROM UNNEST([1, 2, 3]) AS x WHERE TRUE QUALIFY ROW_NUMBER() OVER (ORDER BY x DESC) = 1)", "INTEGER[]", ["3"]],
  ["ARRAY(SELECT RANK() OVER (ORDER BY x) FROM UNNEST([1, NULL]) AS x ORDER BY x)", "INTEGER[]", ["1", "2"]],
];

export const GEOGRAPHIES: readonly Case[] = [
  ["ST_ASTEXT(ST_GEOGPOINT(24.75, 59.4375))", "STRING", "POINT(24.75 59.4375)"],
  ["ST_GEOGPOINT(24.75, 59.4375)", "GEOGRAPHY", "POINT(24.75 59.4375)"],
  ["ST_GEOGPOINT(24.75, NULL)", "GEOGRAPHY", null],
  ["ST_ASTEXT(ST_GEOGFROMTEXT('LineString( 1 2,3 4.50 )'))", "STRING", "LINESTRING(1 2, 3 4.5)"],
  ["ST_X(ST_GEOGPOINT(190, 5))", "FLOAT", "-170.0"],
  ["ST_X(ST_GEOGFROMTEXT('POINT(24.5 59)'))", "FLOAT", "24.5"],
  ["ST_Y(ST_GEOGPOINT(24.5, 59))", "FLOAT", "59.0"],
  // One degree of a great circle of 6,371,010 m.
  ["ROUND(ST_DISTANCE(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(0, 1)), 3)", "FLOAT", "111195.101"],
  ["ROUND(ST_DISTANCE(ST_GEOGPOINT(0, 1), ST_GEOGFROMTEXT('LINESTRING(-1 0, 1 0)')), 3)", "FLOAT", "111195.101"],
  ["ST_DISTANCE(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(0, NULL))", "FLOAT", null],
  ["ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(0, 1), 111196)", "BOOLEAN", "true"],
  ["ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGPOINT(0, 1), 111195)", "BOOLEAN", "false"],
  // Beyond the end of a line, its end is nearest. Within, the foot on the arc is nearest, and the arc bends north of the parallel
  // (60.000945 degrees).
  ["ROUND(ST_DISTANCE(ST_GEOGFROMTEXT('LINESTRING(1 0, 2 0)'), ST_GEOGPOINT(0, 0)), 3)", "FLOAT", "111195.101"],
  ["ROUND(ST_DISTANCE(ST_GEOGFROMTEXT('LINESTRING(24 60, 25 60)'), ST_GEOGPOINT(24.5, 60)), 2)", "FLOAT", "105.04"],
  ["ROUND(ST_DISTANCE(ST_GEOGFROMTEXT('MULTILINESTRING((5 0, 6 0), (1 0, 2 0, 2 0))'), ST_GEOGPOINT(0, 0)), 3)", "FLOAT", "111195.101"],
  [within("LINESTRING(1 0, 2 0)", "0, 0", 111196), "BOOLEAN", "true"],
  [within("LINESTRING(1 0, 2 0)", "0, 0", 111195), "BOOLEAN", "false"],
  // The box of the first contains the point, but the line is not near it. The second crosses the antimeridian the short way.
  [within("LINESTRING(24 59, 25 60)", "24.9, 59.1", 30000), "BOOLEAN", "false"],
  [within("LINESTRING(179 0, -179 0)", "-179.5, 0.01", 1112), "BOOLEAN", "true"],
  [within("LINESTRING(179 0, -179 0)", "0, 0.01", 1112), "BOOLEAN", "false"],
  // Every arc bends beyond the latitudes of its ends, wide or not.
  [within("LINESTRING(0 60, 90 60)", "45, 67.79", 2000), "BOOLEAN", "true"],
  [within("LINESTRING(24 60, 25 60)", "24.5, 60.000945", 10), "BOOLEAN", "true"],
  ["ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGFROMTEXT(NULL), 1)", "BOOLEAN", null],
  ["ST_DWITHIN(ST_GEOGPOINT(0, 0), ST_GEOGFROMTEXT('LINESTRING(5 0, 6 0)'), NULL)", "BOOLEAN", null],
];
