import type { Case } from "../query-values.ts";

/** Joins, set operations, named windows and IS DISTINCT FROM. The values are those of GoogleSQL's reference implementation. */
/** Each group of three rows: its keys, or `-`, and its sum. */
const grouped = (keys: string) =>
  `ARRAY(SELECT CONCAT(IFNULL(k, '-'), IFNULL(g, '-'), SUM(n)) FROM UNNEST([STRUCT('a' AS k, 'x' AS g, 1 AS n), ('a', 'y', 2), ('b', 'x', 4)])
    GROUP BY ${keys} ORDER BY k NULLS LAST, g NULLS LAST)`;

export const QUERIES: readonly Case[] = [
  [
    "ARRAY(SELECT CONCAT(IFNULL(CAST(k AS STRING), '-'), IFNULL(a, '-'), IFNULL(b, '-')) FROM (SELECT 1 AS k, 'a' AS a UNION ALL SELECT 2, 'b') FULL JOIN (SELECT 2 AS k, 'x' AS b UNION ALL SELECT 3, 'y') USING (k) ORDER BY k)",
    "STRING[]",
    ["1a-", "2bx", "3-y"],
  ],
  [
    "ARRAY(SELECT CONCAT(IFNULL(CAST(k AS STRING), '-'), IFNULL(a, '-'), IFNULL(b, '-')) FROM (SELECT 1 AS k, 'a' AS a UNION ALL SELECT 2, 'b') RIGHT OUTER JOIN (SELECT 2 AS k, 'x' AS b UNION ALL SELECT 3, 'y') USING (k) ORDER BY k)",
    "STRING[]",
    ["2bx", "3-y"],
  ],
  [
    "ARRAY(SELECT CONCAT(IFNULL(l.a, '-'), IFNULL(r.b, '-')) FROM (SELECT 1 AS k, 'a' AS a UNION ALL SELECT 2, 'b') AS l FULL OUTER JOIN (SELECT 2 AS k, 'x' AS b UNION ALL SELECT 3, 'y') AS r ON l.k = r.k ORDER BY 1)",
    "STRING[]",
    ["-y", "a-", "bx"],
  ],
  [
    "ARRAY(SELECT x FROM UNNEST([1, 2, 2, NULL]) AS x INTERSECT DISTINCT SELECT x FROM UNNEST([2, 3, NULL]) AS x ORDER BY 1)[OFFSET(1)]",
    "INTEGER",
    "2",
  ],
  ["ARRAY(SELECT x FROM UNNEST([1, 2, 2, 3]) AS x EXCEPT DISTINCT SELECT x FROM UNNEST([2]) AS x ORDER BY 1)", "INTEGER[]", ["1", "3"]],
  ["ARRAY(SELECT SUM(x) OVER w FROM UNNEST([1, 2, 3]) AS x WINDOW w AS (ORDER BY x) ORDER BY x)", "INTEGER[]", ["1", "3", "6"]],
  [
    "ARRAY(SELECT LAST_VALUE(x) OVER (w ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) FROM UNNEST([1, 2, 3]) AS x WINDOW p AS (PARTITION BY MOD(x, 2)), w AS (p ORDER BY x) ORDER BY x)",
    "INTEGER[]",
    ["3", "2", "3"],
  ],
  // A star of a struct, and a table's row as a value.
  ["SELECT s.* FROM (SELECT STRUCT(7 AS a) AS s)", "INTEGER", "7"],
  ["SELECT t.s.* EXCEPT (a) FROM (SELECT STRUCT(1 AS a, 'x' AS b) AS s) AS t", "STRING", "x"],
  ["SELECT e.b.* FROM UNNEST([STRUCT(STRUCT(2 AS z) AS b)]) AS e", "INTEGER", "2"],
  ["SELECT t FROM (SELECT 1 AS a, 'x' AS b) AS t", "RECORD", ["1", "x"]],
  ["SELECT TO_JSON_STRING(t) FROM (SELECT 1 AS a, [2] AS b) AS t WHERE t IS NOT NULL", "STRING", '{"a":1,"b":[2]}'],
  ["SELECT ARRAY_AGG(t ORDER BY t.a DESC LIMIT 1)[OFFSET(0)].a FROM UNNEST([1, 3, 2]) AS x, (SELECT 5 AS a) AS t", "INTEGER", "5"],
  ["SELECT (SELECT ARRAY_AGG(t)[OFFSET(0)].a FROM UNNEST([1]) AS x) FROM (SELECT 5 AS a) AS t", "INTEGER", "5"],
  ["NULL IS DISTINCT FROM 1", "BOOLEAN", "true"],
  ["NULL IS NOT DISTINCT FROM NULL", "BOOLEAN", "true"],
  ["1 IS NOT DISTINCT FROM 1.0", "BOOLEAN", "true"],
  ["CAST('nan' AS FLOAT64) IS DISTINCT FROM CAST('nan' AS FLOAT64)", "BOOLEAN", "false"],
  ["ARRAY(SELECT CONCAT(k, CAST(COUNT(*) AS STRING)) FROM UNNEST(['a', 'b', 'a']) AS k GROUP BY k ORDER BY 1)", "STRING[]", ["a2", "b1"]],
  ["ARRAY(SELECT AS STRUCT k, COUNT(*) AS n FROM UNNEST(['a', 'b', 'a']) AS k GROUP BY ALL ORDER BY k)[OFFSET(0)].n", "INTEGER", "2"],
  // A set of keys at a time; a key that is not in it is null.
  [grouped("ROLLUP(k, g)"), "STRING[]", ["ax1", "ay2", "a-3", "bx4", "b-4", "--7"]],
  [grouped("ROLLUP((k, g))"), "STRING[]", ["ax1", "ay2", "bx4", "--7"]],
  [grouped("CUBE(k, g)"), "STRING[]", ["ax1", "ay2", "a-3", "bx4", "b-4", "-x5", "-y2", "--7"]],
  [grouped("GROUPING SETS (k, (k, g), ())"), "STRING[]", ["ax1", "ay2", "a-3", "bx4", "b-4", "--7"]],
  [grouped("GROUPING SETS (g, ROLLUP(k))"), "STRING[]", ["a-3", "b-4", "-x5", "-y2", "--7"]],
  [
    "ARRAY(SELECT GROUPING(k) * 10 + GROUPING(UPPER(k)) FROM UNNEST(['a']) AS k GROUP BY CUBE(k, UPPER(k)) ORDER BY 1)",
    "INTEGER[]",
    ["0", "1", "10", "11"],
  ],
  // An array that a row has needs no UNNEST.
  ["SELECT SUM(t.a * x) FROM (SELECT 2 AS a, [1, 2] AS l) AS t, t.l AS x", "INTEGER", "6"],
  ["SELECT SUM(x * o) FROM (SELECT [5, 6] AS l) AS t CROSS JOIN t.l AS x WITH OFFSET AS o", "INTEGER", "6"],
  ["SELECT SUM((SELECT SUM(y) FROM t.s.l AS y)) FROM (SELECT STRUCT([1, 2] AS l) AS s) AS t", "INTEGER", "3"],
  ["SELECT COUNT(*) FROM (SELECT CAST([] AS ARRAY<INT64>) AS l) AS t LEFT JOIN t.l AS x", "INTEGER", "1"],
  ["SELECT STRING_AGG(x.b, '' ORDER BY b) FROM (SELECT [STRUCT('c' AS b), STRUCT('d')] AS l) AS t, t.l AS x", "STRING", "cd"],
  // A condition guards what would fail.
  [
    "SELECT STRING_AGG(CAST(d AS STRING) ORDER BY d) FROM (SELECT IF(x = 'no', NULL, PARSE_DATE('%Y', x)) AS d FROM UNNEST(['no', '2024', '2025']) AS x)",
    "STRING",
    "2024-01-01,2025-01-01",
  ],
  ["SELECT SUM(IF(x <= 0, 0, LOG(x, 10))) FROM UNNEST([-1, 100, 10]) AS x", "FLOAT", "3.0"],
];
