import { LIMITED } from "./output-limits.ts";

/** The characters that TRIM removes by default: Unicode's white space, as a literal. */
const BLANKS = `'${String.fromCodePoint(
  ...[9, 10, 11, 12, 13, 32, 133, 160, 5760],
  ...Array.from({ length: 11 }, (_, index) => 8192 + index),
  ...[8232, 8233, 8239, 8287, 12288],
)}'`;

const DATE_PATTERN = "[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}";
const TIME_PATTERN = "[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]{1,6})?";
const CIVIL_PATTERN = `${DATE_PATTERN}([ Tt]${TIME_PATTERN})?`;
const ZONE_PATTERN = "[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*";
const FLOAT_PATTERN =
  "\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\s*|\\s*[+-]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])\\s*";

/** Macros that parse a type from text as GoogleSQL does. Anything else that DuckDB accepts is an error, or null for SAFE_CAST. */
function reader(name: string, type: string, pattern: string, what: string, sql = "s"): string[] {
  const matches = `regexp_full_match(s, '${pattern}')`;
  return [
    `bq_try_${name}(s) AS CASE WHEN ${matches} THEN TRY_CAST(${sql} AS ${type}) END`,
    `bq_read_${name}(s) AS CASE WHEN s IS NULL THEN NULL WHEN bq_try_${name}(s) IS NULL THEN bq_error('${what}' || s) ELSE bq_try_${name}(s) END`,
  ];
}

/** Formats a fraction of seconds (microseconds of a value) as GoogleSQL does: none, three or six digits. */
const FRACTION = `bq_fraction(us) AS CASE WHEN us = 0 THEN '' WHEN us % 1000 = 0 THEN '.' || lpad(CAST(us // 1000 AS VARCHAR), 3, '0')
  ELSE '.' || lpad(CAST(us AS VARCHAR), 6, '0') END`;

const DEFINITIONS: readonly string[] = [
  "bq_error(message) AS error(message)",
  // Arithmetic. DuckDB divides by zero without an error.
  "bq_divisor(b) AS CASE WHEN b = 0 THEN bq_error('division by zero') ELSE b END",
  "bq_floor_div(a, b) AS (a - ((a % b) + b) % b) // b",
  "bq_round_int(x) AS CAST(round(x) AS BIGINT)",
  "bq_at_least(n, least, message) AS CASE WHEN n < least THEN bq_error(message) ELSE n END",
  // Bits, without a sign: of 64, in a HUGEINT.
  "bq_unsigned(x) AS CASE WHEN x < 0 THEN CAST(x AS HUGEINT) + 18446744073709551616 ELSE CAST(x AS HUGEINT) END",
  "bq_signed(x) AS CAST(CASE WHEN x >= 9223372036854775808 THEN x - 18446744073709551616 ELSE x END AS BIGINT)",
  "bq_shift(n) AS CASE WHEN n < 0 THEN bq_error('Bitwise shift by negative offset.') WHEN n > 64 THEN CAST(64 AS HUGEINT) ELSE CAST(n AS HUGEINT) END",
  "bq_shift_left(x, n) AS bq_signed((bq_unsigned(x) & ((CAST(1 AS HUGEINT) << (64 - bq_shift(n))) - 1)) << bq_shift(n))",
  "bq_shift_right(x, n) AS bq_signed(bq_unsigned(x) >> bq_shift(n))",
  // DuckDB ranks NaN last, GoogleSQL first.
  "bq_no_nan(x) AS CASE WHEN isnan(x) THEN bq_error('Quantiles of NaN are not supported by the local BigQuery') ELSE x END",
  "bq_nan_first(x) AS CASE WHEN isnan(x) THEN struct_pack(k := 0, v := 0e0) ELSE struct_pack(k := 1, v := x) END",
  `bq_quantiles(sorted, n) AS CASE WHEN len(sorted) > 0
    THEN list_transform(range(0, n + 1), lambda i: list_extract(sorted, greatest(1, (i * len(sorted) + n - 1) // n))) END`,
  "bq_finite(name, isOfFinite, result) AS CASE WHEN result IS NULL OR isfinite(result) OR NOT isOfFinite THEN result ELSE bq_error('Floating point error in function: ' || name) END",
  "bq_finite_or_null(isOfFinite, result) AS CASE WHEN isfinite(result) OR NOT isOfFinite THEN result END",
  "bq_ln(x) AS CASE WHEN x <= 0 THEN bq_error('Floating point error in function: LN(' || x || ')') ELSE ln(x) END",
  "bq_sqrt(x) AS CASE WHEN x < 0 THEN bq_error('Argument to SQRT cannot be negative: ' || x) ELSE sqrt(x) END",
  "bq_ieee_divide(a, b) AS CASE WHEN b = 0 THEN CASE WHEN a = 0 OR isnan(a) THEN CAST('nan' AS DOUBLE) WHEN (a > 0) = (CAST(b AS VARCHAR) NOT LIKE '-%') THEN CAST('inf' AS DOUBLE) ELSE CAST('-inf' AS DOUBLE) END ELSE a / b END",
  "bq_round_numeric(x, n) AS CASE WHEN n >= 0 THEN CAST(round(x * CAST(pow(10, least(n, 9)) AS DECIMAL(38,0)), 0) / pow(10, least(n, 9)) AS DECIMAL(38,9)) ELSE bq_error('ROUND of NUMERIC to tens is not supported by the local BigQuery') END",
  "bq_range_bucket(x, list) AS CASE WHEN x IS NULL OR list IS NULL THEN NULL ELSE len(list_filter(list, lambda bound: bound <= x)) END",
  // An interval of its text as results have it: `1-2 3 -4:5:6.789`.
  "bq_with_sign(sign, n) AS CASE WHEN sign = '-' THEN -n ELSE n END",
  `bq_interval_of(p) AS to_months(CAST(bq_with_sign(p.y_sign, CAST(p.y AS BIGINT) * 12 + CAST(p.m AS BIGINT)) AS INTEGER)) + to_days(CAST(p.d AS INTEGER))
    + to_microseconds(bq_with_sign(p.h_sign, (CAST(p.h AS BIGINT) * 60 + CAST(p.min AS BIGINT)) * 60000000 + CAST(CAST(p.s AS DECIMAL(18,6)) * 1000000 AS BIGINT)))`,
  `bq_interval(text) AS bq_interval_of(regexp_extract(text, '^(-?)([0-9]+)-([0-9]+) (-?[0-9]+) (-?)([0-9]+):([0-9]+):([0-9.]+)$',
    ['y_sign', 'y', 'm', 'd', 'h_sign', 'h', 'min', 's']))`,
  // Strings.
  // DuckDB maps one letter to one. Text of ASCII, with as many bytes as letters, needs no call of JavaScript.
  "bq_lower(s) AS CASE WHEN strlen(s) = length(s) THEN lower(s) ELSE bq_lower_case(s) END",
  "bq_upper(s) AS CASE WHEN strlen(s) = length(s) THEN upper(s) ELSE bq_upper_case(s) END",
  "bq_right(s, n) AS CASE WHEN n >= length(s) THEN s ELSE substring(s, length(s) - n + 1) END",
  "bq_pad_pattern(p) AS CASE WHEN p = '' THEN bq_error('Third argument (pad pattern) for LPAD/RPAD cannot be empty') ELSE p END",
  `bq_ltrim(s) AS ltrim(s, ${BLANKS})`,
  `bq_rtrim(s) AS rtrim(s, ${BLANKS})`,
  "bq_split(s, d) AS CASE WHEN s = '' THEN CASE WHEN d IS NULL THEN NULL ELSE [''] END ELSE string_split(s, d) END",
  "bq_plain_rewrite(s) AS CASE WHEN contains(s, chr(92)) THEN bq_error('REGEXP_REPLACE with a backslash in a replacement that is not a literal is not supported by the local BigQuery') ELSE s END",
  "bq_extract_all(s, r, g) AS CASE WHEN regexp_matches('', r) THEN bq_error('All matches of a pattern that matches the empty text are not supported by the local BigQuery') ELSE regexp_extract_all(s, r, g) END",
  "bq_ascii(s) AS CASE WHEN s = '' THEN 0 WHEN ascii(s) > 127 THEN bq_error('Non-ASCII character at the first position') ELSE CAST(ascii(s) AS BIGINT) END",
  "bq_unicode(s) AS CASE WHEN s = '' THEN 0 ELSE CAST(unicode(s) AS BIGINT) END",
  "bq_chr(n) AS CASE WHEN n = 0 THEN '' WHEN n < 0 OR n > 1114111 OR n BETWEEN 55296 AND 57343 THEN bq_error('Invalid codepoint ' || n) ELSE chr(CAST(n AS INTEGER)) END",
  "bq_edit_distance(a, b) AS CASE WHEN a IS NULL OR b IS NULL THEN NULL WHEN strlen(a) + strlen(b) > length(a) + length(b) THEN bq_error('EDIT_DISTANCE of text beyond ASCII is not supported by the local BigQuery') ELSE CAST(levenshtein(a, b) AS BIGINT) END",
  "bq_from_hex(s) AS CASE WHEN regexp_full_match(s, '[0-9a-fA-F]*') THEN unhex(s) ELSE bq_error('Failed to decode invalid hexadecimal string: ' || s) END",
  "bq_from_position(s, p) AS CASE WHEN p > 0 THEN substring(s, p) WHEN p = 0 OR p <= -length(s) THEN s ELSE substring(s, length(s) + p + 1) END",
  "bq_count(n, what) AS CASE WHEN n < 0 THEN bq_error(what || ' must not be negative') ELSE n END",
  "bq_substr(s, p, n) AS substring(bq_from_position(s, p), 1, bq_count(n, 'Third argument in SUBSTR()'))",
  `bq_trim(s) AS trim(s, ${BLANKS})`,
  // Parsing of strings.
  ...reader("int64", "BIGINT", "\\s*[+-]?([0-9]+|0[xX][0-9a-fA-F]+)\\s*", "Bad int64 value: ", "trim(s)"),
  ...reader("float64", "DOUBLE", FLOAT_PATTERN, "Bad double value: ", "trim(s)"),
  ...reader("numeric", "DECIMAL(38,9)", "\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)\\s*", "Invalid NUMERIC value: ", "trim(s)"),
  ...reader("bool", "BOOLEAN", "[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]", "Bad bool value: "),
  ...reader("date", "DATE", DATE_PATTERN, "Invalid date: "),
  ...reader("datetime", "TIMESTAMP", CIVIL_PATTERN, "Invalid datetime string: "),
  ...reader("time", "TIME", TIME_PATTERN, "Invalid time string: "),
  // Time zones. A civil time that occurs twice is the first; one that is skipped uses the offset before, as in DuckDB.
  "bq_civil(ts, tz) AS timezone(tz, ts)",
  "bq_day_before(civil, tz) AS timezone(tz, civil) - to_hours(24)",
  "bq_first_guess(civil, tz) AS bq_day_before(civil, tz) + (civil - timezone(tz, bq_day_before(civil, tz)))",
  `bq_from_civil(civil, tz) AS CASE WHEN timezone(tz, bq_first_guess(civil, tz)) = civil
    THEN least(bq_first_guess(civil, tz), timezone(tz, civil)) ELSE timezone(tz, civil) END`,
  `bq_shifted(s, tail) AS timezone('UTC', TRY_CAST(regexp_replace(s, ' ?[+-][0-9]{1,2}(:[0-9]{2})?$', '') AS TIMESTAMP)
    - CASE WHEN tail.sign = '-' THEN -1 ELSE 1 END * to_minutes(60 * CAST(tail.hours AS INTEGER) + COALESCE(TRY_CAST(tail.minutes AS INTEGER), 0)))`,
  `bq_try_timestamp(s) AS CASE WHEN regexp_full_match(s, '${CIVIL_PATTERN}[Zz]?') THEN timezone('UTC', TRY_CAST(rtrim(s, 'Zz') AS TIMESTAMP))
    WHEN regexp_full_match(s, '${CIVIL_PATTERN} ?[+-][0-9]{1,2}(:[0-9]{2})?') THEN bq_shifted(s, regexp_extract(s, '([+-])([0-9]{1,2}):?([0-9]{2})?$', ['sign', 'hours', 'minutes']))
    WHEN regexp_full_match(s, '${CIVIL_PATTERN} ${ZONE_PATTERN}')
    THEN bq_from_civil(TRY_CAST(regexp_extract(s, '^(.*) [^ ]*$', 1) AS TIMESTAMP), regexp_extract(s, '[^ ]*$')) END`,
  "bq_read_timestamp(s) AS CASE WHEN s IS NULL THEN NULL WHEN bq_try_timestamp(s) IS NULL THEN bq_error('Invalid timestamp: ' || s) ELSE bq_try_timestamp(s) END",
  // Formatting as strings.
  FRACTION,
  "bq_civil_text(t) AS strftime(t, '%Y-%m-%d %H:%M:%S') || bq_fraction(epoch_us(t) - bq_floor_div(epoch_us(t), 1000000) * 1000000)",
  "bq_numeric_text(x) AS CASE WHEN x = 0 THEN '0' ELSE rtrim(rtrim(CAST(x AS VARCHAR), '0'), '.') END",
  "bq_time_text(t) AS strftime(TIMESTAMP '1970-01-01' + to_microseconds(epoch_us(t)), '%H:%M:%S') || bq_fraction(epoch_us(t) % 1000000)",
  "bq_trimmed_fraction(t) AS strftime(t, '%S') || rtrim(rtrim(strftime(t, '.%f'), '0'), '.')",
  `bq_offset(ts, tz) AS CASE WHEN timezone(tz, ts) < timezone('UTC', ts) THEN '-' ELSE '+' END ||
    strftime(TIMESTAMP '1970-01-01' + to_microseconds(abs(epoch_us(timezone(tz, ts)) - epoch_us(ts))), '%H:%M')`,
  "bq_zone_offset(t) AS CASE WHEN t LIKE '%:00' THEN regexp_replace(left(t, 3), '^(.)0', '\\1') ELSE replace(t, ':', '') END",
  "bq_zone_name(ts, tz) AS CASE WHEN bq_offset(ts, tz) = '+00:00' THEN 'UTC' ELSE 'UTC' || bq_zone_offset(bq_offset(ts, tz)) END",
  // Dates. `first` is the first weekday of a week, Sunday = 0.
  "bq_week(d, first) AS d - CAST((dayofweek(d) + 7 - first) % 7 AS INTEGER)",
  "bq_week_number(d, first) AS (dayofyear(d) + 6 - (dayofweek(d) + 7 - first) % 7) // 7",
  "bq_floor_us(us, unit) AS us - ((us % unit) + unit) % unit",
  "bq_add_days(d, n) AS d + CAST(n AS INTEGER)",
  "bq_add_months(d, n) AS CAST(d + to_months(CAST(n AS INTEGER)) AS DATE)",
  "bq_step(n) AS CASE WHEN n = 0 THEN bq_error('Sequence step cannot be 0.') ELSE n END",
  `bq_date_series(a, b, months) AS CASE WHEN day(a) > 28 THEN bq_error('GENERATE_DATE_ARRAY by months from a day after the 28th is not supported by the local BigQuery')
    ELSE CAST(generate_series(CAST(a AS TIMESTAMP), CAST(b AS TIMESTAMP), to_months(CAST(bq_step(months) AS INTEGER))) AS DATE[]) END`,
  ...LIMITED,
  "bq_time_of(us) AS CAST(make_timestamp(((us % 86400000000) + 86400000000) % 86400000000) AS TIME)",
  "bq_parsed(parsed) AS CAST(split_part(parsed, '|', 1) AS TIMESTAMP)",
  "bq_short_offset(ts, tz) AS CASE WHEN bq_offset(ts, tz) LIKE '%:00' THEN left(bq_offset(ts, tz), 3) ELSE bq_offset(ts, tz) END",
  // JSON.
  // Text without a character to escape needs no call of JavaScript.
  `bq_json_text(s) AS CASE WHEN regexp_matches(s, '["\\\\\\x00-\\x1f\\x7f\\x{2028}\\x{2029}]') THEN bq_json_escaped(s) ELSE '"' || s || '"' END`,
  "bq_json_int(x) AS CASE WHEN x BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(x AS VARCHAR) ELSE '\"' || CAST(x AS VARCHAR) || '\"' END",
  "bq_json_float(x) AS CASE WHEN isnan(x) THEN '\"NaN\"' WHEN isinf(x) THEN CASE WHEN x > 0 THEN '\"Infinity\"' ELSE '\"-Infinity\"' END ELSE bq_float_text(x) END",
  "bq_json_numeric(x) AS CASE WHEN x = trunc(x) AND x BETWEEN -9007199254740992 AND 9007199254740992 THEN bq_numeric_text(x) ELSE '\"' || bq_numeric_text(x) || '\"' END",
  // Arrays.
  "bq_no_nulls(list, name) AS CASE WHEN list_count(list) < len(list) THEN bq_error('Array cannot have a null element; error in writing field ' || name) ELSE list END",
  "bq_end_of(list, place, name) AS CASE WHEN len(list) = 0 THEN bq_error(name || ' cannot get an element of an empty array') ELSE list_extract(list, place) END",
  "bq_joined(list, separator) AS CASE WHEN separator IS NULL THEN NULL WHEN len(list) = 0 THEN '' ELSE array_to_string(list, separator) END",
  "bq_joined_with(list, separator, nothing) AS CASE WHEN nothing IS NOT NULL THEN bq_joined(list_transform(list, lambda x: coalesce(x, nothing)), separator) END",
  "bq_element(list, i) AS CASE WHEN i < 0 OR i >= len(list) THEN bq_error('Array index ' || i || ' is out of bounds') ELSE list_extract(list, i + 1) END",
  "bq_safe_element(list, i) AS CASE WHEN i < 0 OR i >= len(list) THEN NULL ELSE list_extract(list, i + 1) END",
  "bq_limit(n, what) AS CASE WHEN n IS NULL OR n < 0 THEN bq_error(what || ' expects a non-negative integer literal or parameter') ELSE n END",
  "bq_single_match(n) AS CASE WHEN n > 1 THEN bq_error('UPDATE/MERGE must match at most one source row for each target row') ELSE TRUE END",
  // Points on the sphere, in degrees; metres on BigQuery's Earth. The haversine is accurate for near points.
  "bq_haversine(lat1, lat2, lon) AS pow(sin((lat2 - lat1) / 2), 2) + cos(lat1) * cos(lat2) * pow(sin(lon / 2), 2)",
  // Rounding may lift the square of the half chord above 1; `least` would turn a null into 1.
  "bq_half_angle(h) AS asin(CASE WHEN h > 1 THEN 1e0 ELSE sqrt(h) END)",
  `bq_point_distance(lon1, lat1, lon2, lat2) AS
    2 * 6371010.0e0 * bq_half_angle(bq_haversine(radians(lat1), radians(lat2), radians(lon2) - radians(lon1)))`,
  // Null coordinates result in a null point; a NaN is above all numbers in DuckDB.
  "bq_latitude(lat) AS CASE WHEN abs(lat) > 90 THEN bq_error('Latitude must be between -90 and 90 degrees') ELSE lat END",
  `bq_longitude(lon) AS CASE WHEN abs(lon) <= 180 THEN lon WHEN abs(lon) >= CAST('inf' AS DOUBLE) THEN bq_error('Longitude must be finite')
    ELSE lon - 360 * floor((lon + 180) / 360) END`,
];

/** Finds the texts of SQL and the calls of these macros. */
const callsOf = (names: readonly string[]): RegExp => new RegExp(`'(?:[^']|'')*'|\\b(?:${names.join("|")})\\(`, "g");
const nameOf = (definition: string): string => definition.slice(0, definition.indexOf("("));

/** The definitions of macros that may fail: `bq_error`, and those that call it or one that does. Each calls only those before it. */
const FAILING: string[] = [];
for (const definition of DEFINITIONS) {
  const calls = definition.slice(nameOf(definition).length).match(callsOf(["bq_error", ...FAILING.map(nameOf)])) ?? [];
  if (nameOf(definition) === "bq_error" || calls.some((found) => !found.startsWith("'"))) FAILING.push(definition);
}
const CALLS_OF_FAILING = callsOf(FAILING.map(nameOf));

/**
 * Returns SQL that calls the silent form of each macro that may fail, which is null where the macro fails. DuckDB's `error` counts as volatile,
 * and TRY refuses what is volatile.
 */
export function silent(sql: string): string {
  return sql.replace(CALLS_OF_FAILING, (found) => (found.startsWith("'") ? found : `silent_${found}`));
}

const SILENT = FAILING.map((definition) => silent(definition.replace(" AS error(message)", " AS NULL")));

/** The statements that define the macros of the translated SQL. The server runs them at start, in a database whose TimeZone is UTC. */
export const MACROS = [...DEFINITIONS, ...SILENT].map((definition) => `CREATE OR REPLACE MACRO ${definition}`).join(";\n");
