import type { Case } from "../query-values.ts";

/**
 * Statements as the sources of these tools build them: [which](../../../../googlesql.md). The values are those of GoogleSQL's reference
 * implementation.
 */
export const DASHBOARDS: readonly Case[] = [
  // Apache Superset: time grains, and limits of time.
  [
    "SELECT CAST(TIMESTAMP_SECONDS(5*60 * DIV(UNIX_SECONDS(CAST(ts AS TIMESTAMP)), 5*60)) AS TIMESTAMP) AS `__timestamp` FROM UNNEST([TIMESTAMP '2026-07-01 10:07:31']) AS ts",
    "TIMESTAMP",
    "2026-07-01T10:05:00Z",
  ],
  [
    "SELECT CAST(TIMESTAMP_SECONDS(30*60 * DIV(UNIX_SECONDS(CAST(ts AS TIMESTAMP)), 30*60)) AS DATETIME) FROM UNNEST([DATETIME '2026-07-01 10:47:31']) AS ts WHERE ts >= CAST('2026-06-01T00:00:00.000000' AS DATETIME)",
    "DATETIME",
    "2026-07-01T10:30:00",
  ],
  [
    "SELECT DATETIME_TRUNC(ts, WEEK) FROM UNNEST([DATETIME '2026-07-01 10:07:31']) AS ts WHERE CAST(ts AS TIMESTAMP) < CAST('2026-08-01T00:00:00.000000' AS TIMESTAMP)",
    "DATETIME",
    "2026-06-28T00:00:00",
  ],
  // Metabase: units of time, extracts, coercions and filters.
  [
    "SELECT timestamp_trunc(`source`.`ts`, week(sunday)) AS `ts` FROM (SELECT TIMESTAMP '2026-07-01 10:07:31' AS ts) AS `source` GROUP BY `ts` ORDER BY `ts` ASC",
    "TIMESTAMP",
    "2026-06-28T00:00:00Z",
  ],
  [
    "SELECT mod((extract(dayofweek from ts) + 6), 7) AS `dow` FROM UNNEST([DATETIME '2026-07-01 10:07:31']) AS ts WHERE ts >= datetime_add(DATETIME \"2026-07-31 00:00:00\", INTERVAL -30 day)",
    "INTEGER",
    "3",
  ],
  ["SELECT parse_datetime('%Y%m%d%H%M%S', '20260701100731')", "DATETIME", "2026-07-01T10:07:31"],
  [
    "SELECT regexp_extract(name, '[A-Z][a-z]+') AS `city` FROM UNNEST(['1 Tallinn']) AS name WHERE (lower(name) like '%tallinn%')",
    "STRING",
    "Tallinn",
  ],
  // Grafana: $__timeGroup by minutes and by months.
  [
    "SELECT TIMESTAMP_MILLIS(DIV(UNIX_MILLIS(ts), 300000) * 300000) AS time FROM UNNEST([TIMESTAMP '2026-07-01 10:07:31']) AS ts",
    "TIMESTAMP",
    "2026-07-01T10:05:00Z",
  ],
  [
    "SELECT TIMESTAMP((PARSE_DATE(\"%Y-%m-%d\",CONCAT( CAST((EXTRACT(YEAR FROM ts)) AS STRING),'-',CAST((EXTRACT(MONTH FROM ts)) AS STRING),'-','01')))) FROM UNNEST([TIMESTAMP '2026-07-01 10:07:31']) AS ts",
    "TIMESTAMP",
    "2026-07-01T00:00:00Z",
  ],
  // ibis.
  [
    "SELECT TIMESTAMP_TRUNC(t0.ts, WEEK(MONDAY)) AS t1 FROM (SELECT TIMESTAMP '2026-07-05 10:07:31' AS ts) AS t0",
    "TIMESTAMP",
    "2026-06-29T00:00:00Z",
  ],
  ["SELECT MOD(EXTRACT(DAYOFWEEK FROM t0.d) + 5, 7) FROM (SELECT DATE '2026-07-05' AS d) AS t0", "INTEGER", "6"],
  ["SELECT IF(REGEXP_CONTAINS(s, 'b+'), REGEXP_EXTRACT(s, 'b+'), NULL) FROM UNNEST(['abbc']) AS s", "STRING", "bb"],
  ["SELECT IF(ARRAY_LENGTH(l) > 0, ARRAY_TO_STRING(l, '-'), NULL) FROM (SELECT ['a', 'b'] AS l)", "STRING", "a-b"],
  ["SELECT CAST(FLOOR(IEEE_DIVIDE(t0.n, 2)) AS INT64) FROM (SELECT 7 AS n) AS t0", "INTEGER", "3"],
  ["SELECT ARRAY_AGG(x IGNORE NULLS ORDER BY x DESC LIMIT 1)[SAFE_OFFSET(0)] FROM UNNEST([3, NULL, 5]) AS x", "INTEGER", "5"],
  ["SELECT COALESCE((SELECT o + 1 FROM UNNEST(['a', 'b']) AS v WITH OFFSET AS o WHERE v = 'b' LIMIT 1), 0)", "INTEGER", "2"],
  // dbt: cross-database macros.
  ["SELECT timestamp_trunc(cast('2026-07-01 10:07:31' as timestamp), month)", "TIMESTAMP", "2026-07-01T00:00:00Z"],
  ["SELECT datetime_diff(cast('2026-07-01' as datetime), cast('2026-01-01' as datetime), quarter)", "INTEGER", "2"],
  ["SELECT datetime_add(cast('2026-01-31' as datetime), interval 1 month)", "DATETIME", "2026-02-28T00:00:00"],
  [
    "SELECT to_hex(md5(cast(coalesce(cast(1.5 as STRING), '_null_') || '-' || coalesce(cast(true as STRING), '_null_') as STRING)))",
    "STRING",
    "6b9a6146d3209f066ddd0e0e012ee97e",
  ],
  ["SELECT split('a|b', '|')[safe_offset(1)]", "STRING", "b"],
  ["SELECT safe_cast('1.5x' as FLOAT64)", "FLOAT", null],
  ["SELECT string_agg(x, ',' order by x limit 2) FROM UNNEST(['c', 'a', 'b']) AS x", "STRING", "a,b"],
  ["SELECT logical_or(x > 2) FROM UNNEST([1, 3]) AS x", "BOOLEAN", "true"],
  ["SELECT last_day(cast('2026-02-03' as date), quarter)", "DATE", "2026-03-31"],
  // Power BI.
  [
    "SELECT `C1` FROM (SELECT `place`, SUM(`n`) AS `C1` FROM (SELECT `OTBL`.`n`, `ITBL`.`place` FROM (SELECT 1 AS id, 2 AS n) AS `OTBL` INNER JOIN (SELECT 1 AS id, 'a' AS place) AS `ITBL` ON (`OTBL`.`id` = `ITBL`.`id`)) AS `ITBL` GROUP BY `place`) AS `ITBL` WHERE NOT `C1` IS NULL LIMIT 1000001 OFFSET 0",
    "INTEGER",
    "2",
  ],
  // Looker.
  [
    "SELECT FORMAT_TIMESTAMP('%F %H', TIMESTAMP_TRUNC(ts, HOUR, 'Europe/Tallinn'), 'Europe/Tallinn') AS hour FROM UNNEST([TIMESTAMP '2026-07-01 10:07:31']) AS ts GROUP BY 1 ORDER BY 1 DESC LIMIT 500",
    "STRING",
    "2026-07-01 13",
  ],
  ["SELECT COUNT(DISTINCT CASE WHEN (x > 1) THEN x ELSE NULL END) FROM UNNEST([1, 2, 2, 3]) AS x", "INTEGER", "2"],
];
