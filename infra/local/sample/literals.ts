/** A value in a row of constants. Numbers must be whole, because DuckDB reads `0.5` as a slow DECIMAL (see `double`). */
export type Constant = string | number | boolean | Double;

/** A number that DuckDB reads as DOUBLE. */
interface Double {
  readonly double: number;
}

/** Returns the number as SQL text of type DOUBLE, with every digit. */
export function double(value: number): string {
  return `(${value.toExponential()})`;
}

/** Returns the instant as SQL text of type TIMESTAMPTZ, in whole seconds. */
export function instant(date: Date): string {
  return `to_timestamp(${Math.floor(date.getTime() / 1000)})`;
}

/** Returns a table of constants: `(VALUES …) AS name(columns)`. Throws a RangeError for a number that is not whole. */
export function constants(name: string, columns: readonly string[], rows: readonly (readonly Constant[])[]): string {
  const lines = rows.map((row) => `(${row.map(literal).join(", ")})`);
  return `(VALUES ${lines.join(", ")}) AS ${name}(${columns.join(", ")})`;
}

/** Returns the text as an SQL literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a list of quoted texts for `IN (…)`. If there are no texts, the list matches nothing. */
export function textList(texts: readonly string[]): string {
  return texts.length === 0 ? "(NULL)" : `(${texts.map(quoted).join(", ")})`;
}

/**
 * Returns an SQL expression for a pseudo-random number in [0, 1). The same arguments and seed give the same number, whatever the order of
 * the rows.
 */
export function uniform(seed: number, ...keys: readonly (string | number)[]): string {
  return `((hash(${[...keys, seed].join(", ")}) >> 11)::DOUBLE * ${double(2 ** -53)})`;
}

function literal(value: Constant): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "object") return double(value.double);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number`);
  return String(value);
}
