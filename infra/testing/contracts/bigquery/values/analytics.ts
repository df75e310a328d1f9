import type { Case } from "../query-values.ts";

/** Finish times of runners in two divisions, as in GoogleSQL's pages on navigation and numbering functions. */
const FINISHERS = `(SELECT 'Sophia' AS name, 51 AS t, 'F30' AS division UNION ALL SELECT 'Lisa', 54, 'F35' UNION ALL
  SELECT 'Nikki', 59, 'F30' UNION ALL SELECT 'Lauren', 61, 'F35' UNION ALL SELECT 'Desiree', 65, 'F35' UNION ALL
  SELECT 'Suzy', 66, 'F35' UNION ALL SELECT 'Meghan', NULL, 'F30')`;
const BY_DIVISION = "OVER (PARTITION BY division ORDER BY t)";
const QUANTILES = "UNNEST([NULL, NULL, 1, 1, 1, 4, 5, 6, 7, 8, 9, 10]) AS x";
const FRUITS = "UNNEST([STRUCT('apple' AS fruit, 14 AS sold), ('pear', 8), ('fig', NULL), ('lime', 8)])";

function finishers(call: string): string {
  return `ARRAY(SELECT COALESCE(CAST(${call} AS STRING), '-') FROM ${FINISHERS} ORDER BY division, t)`;
}

function over(list: string, call: string): string {
  return `SELECT ${call} FROM UNNEST(${list}) AS x`;
}

/** Navigation, numbering and percentiles. */
export const ANALYTICS: readonly Case[] = [
  [finishers(`LAG(name) ${BY_DIVISION}`), "STRING[]", ["-", "Meghan", "Sophia", "-", "Lisa", "Lauren", "Desiree"]],
  [finishers(`LAG(name, 2, 'NoBody') ${BY_DIVISION}`), "STRING[]", ["NoBody", "NoBody", "Meghan", "NoBody", "NoBody", "Lisa", "Lauren"]],
  [finishers(`LEAD(name) ${BY_DIVISION}`), "STRING[]", ["Sophia", "Nikki", "-", "Lauren", "Desiree", "Suzy", "-"]],
  [finishers(`LEAD(name, 0) ${BY_DIVISION}`), "STRING[]", ["Meghan", "Sophia", "Nikki", "Lisa", "Lauren", "Desiree", "Suzy"]],
  [finishers(`FIRST_VALUE(t) ${BY_DIVISION}`), "STRING[]", ["-", "-", "-", "54", "54", "54", "54"]],
  [finishers(`FIRST_VALUE(t IGNORE NULLS) ${BY_DIVISION}`), "STRING[]", ["-", "51", "51", "54", "54", "54", "54"]],
  [
    finishers("LAST_VALUE(t) OVER (PARTITION BY division ORDER BY t ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"),
    "STRING[]",
    ["59", "59", "59", "66", "66", "66", "66"],
  ],
  // The default frame ends at the row itself.
  [finishers(`LAST_VALUE(t) ${BY_DIVISION}`), "STRING[]", ["-", "51", "59", "54", "61", "65", "66"]],
  [finishers(`NTH_VALUE(t, 2) ${BY_DIVISION}`), "STRING[]", ["-", "51", "51", "-", "61", "61", "61"]],
  [finishers("NTILE(3) OVER (ORDER BY t)"), "STRING[]", ["1", "1", "2", "1", "2", "3", "3"]],
  [finishers(`PERCENT_RANK() ${BY_DIVISION}`), "STRING[]", ["0", "0.5", "1", "0", "0.33333333333333331", "0.66666666666666663", "1"]],
  [finishers(`CUME_DIST() ${BY_DIVISION}`), "STRING[]", ["0.33333333333333331", "0.66666666666666663", "1", "0.25", "0.5", "0.75", "1"]],
  ["SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([0, 3, NULL, 1, 2]) AS x LIMIT 1", "FLOAT", "1.5"],
  ["SELECT PERCENTILE_CONT(x, 0.01) OVER () FROM UNNEST([0, 3, NULL, 1, 2]) AS x LIMIT 1", "FLOAT", "0.03"],
  ["SELECT PERCENTILE_CONT(x, 0.9) OVER () FROM UNNEST([0, 3, NULL, 1, 2]) AS x LIMIT 1", "FLOAT", "2.7"],
  ["SELECT PERCENTILE_DISC(x, 0) OVER () FROM UNNEST(['c', NULL, 'b', 'a']) AS x LIMIT 1", "STRING", "a"],
  ["SELECT PERCENTILE_DISC(x, 0.5) OVER () FROM UNNEST(['c', NULL, 'b', 'a']) AS x LIMIT 1", "STRING", "b"],
  ["SELECT PERCENTILE_DISC(x, 1) OVER () FROM UNNEST(['c', NULL, 'b', 'a']) AS x LIMIT 1", "STRING", "c"],
];

/** A count of rows by a window, per row, in the order of their values. */
const counted = (values: string, frame: string) =>
  `ARRAY(SELECT COUNT(*) OVER (ORDER BY x ${frame}) FROM UNNEST(${values}) AS x ORDER BY x)`;

const FLOATS = "[NULL, CAST('nan' AS FLOAT64), CAST('nan' AS FLOAT64), CAST('-inf' AS FLOAT64), 1, 1.5, CAST('inf' AS FLOAT64)]";

/** Frames of a range of values. A null's range is that of the nulls. */
export const RANGES: readonly Case[] = [
  [counted("[1, 2, 2, 5, NULL]", "RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING"), "INTEGER[]", ["1", "3", "3", "3", "1"]],
  [counted("[1, 2, 2, 5, NULL]", "DESC RANGE 1 PRECEDING"), "INTEGER[]", ["1", "3", "2", "2", "1"]],
  [counted("[1, 2, 2, 5, NULL]", "RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING"), "INTEGER[]", ["1", "4", "4", "4", "5"]],
  [counted("[NUMERIC '1', NUMERIC '1.5', NUMERIC '2.6']", "RANGE 1 PRECEDING"), "INTEGER[]", ["1", "2", "1"]],
  [counted("[NUMERIC '1', NUMERIC '1.5', NUMERIC '2.1']", "RANGE 0.5 PRECEDING"), "INTEGER[]", ["1", "2", "1"]],
  [counted("[1e0, 1.5, 2.6]", "RANGE BETWEEN 1 PRECEDING AND 0.4 FOLLOWING"), "INTEGER[]", ["1", "2", "1"]],
  // NaN is the smallest number, and its range is that of NaN.
  [counted(FLOATS, "RANGE 1 PRECEDING"), "INTEGER[]", ["1", "2", "2", "1", "1", "2", "1"]],
  [counted(FLOATS, "RANGE BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING"), "INTEGER[]", ["1", "3", "3", "4", "6", "6", "7"]],
  [counted(FLOATS, "DESC RANGE 1 PRECEDING"), "INTEGER[]", ["1", "2", "2", "1", "2", "1", "1"]],
  [counted(FLOATS, "DESC RANGE UNBOUNDED PRECEDING"), "INTEGER[]", ["7", "6", "6", "4", "3", "2", "1"]],
];

/** Spread, pairs, extremes and quantiles. */
export const STATISTICS: readonly Case[] = [
  [over("[10, 14, 18]", "STDDEV(x)"), "FLOAT", "4.0"],
  [over("[10, 14, NULL]", "ROUND(STDDEV_SAMP(x), 9)"), "FLOAT", "2.828427125"],
  [over("[10, NULL]", "STDDEV_SAMP(x)"), "FLOAT", null],
  [over("[10, 14, 18]", "ROUND(STDDEV_POP(x), 9)"), "FLOAT", "3.265986324"],
  [over("[10, NULL]", "STDDEV_POP(x)"), "FLOAT", "0.0"],
  [over("[10, 14, 18]", "VARIANCE(x)"), "FLOAT", "16.0"],
  [over("[10, 14, 18]", "VAR_SAMP(x)"), "FLOAT", "16.0"],
  [over("[10, 14]", "VAR_POP(x)"), "FLOAT", "4.0"],
  [over("[1, 1, 2]", "STDDEV_POP(DISTINCT x)"), "FLOAT", "0.5"],
  ["SELECT ROUND(CORR(y, x), 9) FROM UNNEST([STRUCT(1.0 AS y, 1.0 AS x), (2.0, 5.0), (9.0, 3.0), (4.0, NULL)])", "FLOAT", "0.114707867"],
  [
    "SELECT ROUND(COVAR_POP(y, x), 9) FROM UNNEST([STRUCT(1.0 AS y, 1.0 AS x), (2.0, 6.0), (9.0, 3.0), (2.0, 6.0), (9.0, 3.0)])",
    "FLOAT",
    "-1.68",
  ],
  [
    "SELECT ROUND(COVAR_SAMP(y, x), 9) FROM UNNEST([STRUCT(1.0 AS y, 1.0 AS x), (2.0, 6.0), (9.0, 3.0), (2.0, 6.0), (9.0, 3.0)])",
    "FLOAT",
    "-2.1",
  ],
  [`SELECT MAX_BY(fruit, sold) FROM ${FRUITS}`, "STRING", "apple"],
  [`SELECT MIN_BY(fruit, -sold) FROM ${FRUITS}`, "STRING", "apple"],
  [`SELECT MAX_BY(sold, fruit) FROM ${FRUITS}`, "INTEGER", "8"],
  ["SELECT MAX_BY(x, y) FROM UNNEST([STRUCT(1 AS x, 2 AS y), (NULL, 3)])", "INTEGER", null],
  [`SELECT ANY_VALUE(fruit HAVING MAX sold) FROM ${FRUITS}`, "STRING", "apple"],
  [`SELECT ANY_VALUE(sold HAVING MIN fruit) FROM ${FRUITS}`, "INTEGER", "14"],
  [`SELECT APPROX_QUANTILES(x, 2) FROM ${QUANTILES}`, "INTEGER[]", ["1", "5", "10"]],
  [`SELECT APPROX_QUANTILES(DISTINCT x, 2) FROM ${QUANTILES}`, "INTEGER[]", ["1", "6", "10"]],
  [`SELECT APPROX_QUANTILES(x, 100)[OFFSET(90)] FROM ${QUANTILES}`, "INTEGER", "9"],
  [`SELECT APPROX_QUANTILES(x, 2 RESPECT NULLS)[OFFSET(1)] FROM ${QUANTILES}`, "INTEGER", "4"],
  [`SELECT APPROX_QUANTILES(DISTINCT x, 2 RESPECT NULLS)[OFFSET(1)] FROM ${QUANTILES}`, "INTEGER", "6"],
  ["SELECT APPROX_QUANTILES(x, 2) IS NULL FROM UNNEST([1]) AS x WHERE x > 1", "BOOLEAN", "true"],
  [over("[0xF001, 0x00A1]", "BIT_AND(x)"), "INTEGER", "1"],
  [over("[0xF001, 0x00A1]", "BIT_OR(x)"), "INTEGER", "61601"],
  [over("[1234, 1234, 5678]", "BIT_XOR(x)"), "INTEGER", "5678"],
  [over("[1234, 1234, 5678]", "BIT_XOR(DISTINCT x)"), "INTEGER", "4860"],
  ["SELECT ARRAY_CONCAT_AGG(l) FROM (SELECT [1, 2] AS l UNION ALL SELECT NULL)", "INTEGER[]", ["1", "2"]],
];
