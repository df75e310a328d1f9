/**
 * The largest result of a text function in bytes, as in GoogleSQL's reference implementation. Source:
 * https://github.com/google/googlesql/blob/master/googlesql/public/functions/string.cc
 */
export const TEXT_BYTES_MAX = 1_048_576;

/** The most elements that BigQuery's functions GENERATE_…_ARRAY make. */
const ELEMENTS_MAX = 1_048_576;

/**
 * Computes the arguments once, as fields that the result's SQL reads as `x.name`: a value that differs from call to call, such as RAND(), must be
 * the same where it is checked and where it is used.
 */
function once(fields: Readonly<Record<string, string>>, result: string): string {
  const packed = Object.entries(fields).map(([name, sql]) => `${name} := ${sql}`);
  return `list_extract(list_transform([struct_pack(${packed.join(", ")})], lambda x: ${result}), 1)`;
}

function tooLong(name: string): string {
  return `bq_error('Output of ${name} exceeds max allowed output size of 1MB')`;
}

/** An array unless it has too many elements. `steps` is the number of steps from the first to the last one. */
function series(steps: string, shown: string, array: string): string {
  return `CASE WHEN ${steps} >= ${ELEMENTS_MAX} THEN bq_error(${shown} || ' produced too many elements') ELSE ${array} END`;
}

const steps = (from: string, to: string, step: string) => `(CAST(${to} AS HUGEINT) - ${from}) // ${step}`;

/** Macros of functions whose result may be much larger than their arguments: unlimited, one call fills the memory. */
export const LIMITED: readonly string[] = [
  `bq_repeat(s, n) AS ${once(
    { part: "s", times: "n" },
    `CASE WHEN x.times < 0 THEN bq_error('Second argument (repeat count) for REPEAT cannot be negative') WHEN x.part = '' THEN ''
    WHEN CAST(strlen(x.part) AS HUGEINT) * x.times > ${TEXT_BYTES_MAX} THEN ${tooLong("REPEAT")} ELSE repeat(x.part, x.times) END`,
  )}`,
  `bq_replace(s, a, b) AS ${once(
    { whole: "s", part: "a", other: "b" },
    `CASE WHEN x.part <> '' AND strlen(x.other) > strlen(x.part) AND strlen(x.whole)
    + (strlen(x.whole) - strlen(replace(x.whole, x.part, ''))) // strlen(x.part) * (strlen(x.other) - strlen(x.part)) > ${TEXT_BYTES_MAX}
    THEN ${tooLong("REPLACE")} ELSE replace(x.whole, x.part, x.other) END`,
  )}`,
  // Never longer, even if the check sees another value.
  `bq_pad_size(n) AS CASE WHEN n > ${TEXT_BYTES_MAX} THEN ${tooLong("LPAD/RPAD")} ELSE CAST(least(n, ${TEXT_BYTES_MAX}) AS INTEGER) END`,
  `bq_series(a, b, n) AS ${once(
    { first: "a", final: "b", step: "bq_step(n)" },
    series(
      steps("x.first", "x.final", "x.step"),
      "'GENERATE_ARRAY(' || x.first || ', ' || x.final || ', ' || x.step || ')'",
      "generate_series(x.first, x.final, x.step)",
    ),
  )}`,
  `bq_day_series(a, b, n) AS ${once(
    { first: "a", final: "b", step: "bq_step(n)" },
    series(
      steps("0", "(x.final - x.first)", "x.step"),
      "'GENERATE_DATE_ARRAY(' || x.first || ', ' || x.final || ', ' || x.step || ' DAY)'",
      "CAST(generate_series(CAST(x.first AS TIMESTAMP), CAST(x.final AS TIMESTAMP), to_days(CAST(x.step AS INTEGER))) AS DATE[])",
    ),
  )}`,
  `bq_time_series(a, b, us) AS ${once(
    { first: "a", final: "b", step: "bq_step(us)" },
    series(
      steps("epoch_us(x.first)", "epoch_us(x.final)", "x.step"),
      "'GENERATE_TIMESTAMP_ARRAY(' || x.first || ', ' || x.final || ', ' || x.step || ' MICROSECOND)'",
      "generate_series(x.first, x.final, to_microseconds(x.step))",
    ),
  )}`,
];
