/** A value that can stand in a row of constants: numbers must be whole, since DuckDB reads `0.5` as a slow DECIMAL (see `double`). */
export type Constant = string | number | boolean | Double;

/** A number that DuckDB takes as DOUBLE. */
interface Double {
  readonly double: number;
}

/** The number as SQL text of type DOUBLE, with every digit. */
export function double(value: number): string {
  return `(${value.toExponential()})`;
}

/** The instant as a TIMESTAMPTZ; whole seconds. */
export function instant(date: Date): string {
  return `to_timestamp(${Math.floor(date.getTime() / 1000)})`;
}

/** `(VALUES …) AS name(columns)`: a table of constants. Throws a RangeError for a number that is not whole. */
export function constants(name: string, columns: readonly string[], rows: readonly (readonly Constant[])[]): string {
  const lines = rows.map((row) => `(${row.map(literal).join(", ")})`);
  return `(VALUES ${lines.join(", ")}) AS ${name}(${columns.join(", ")})`;
}

/** The text as a literal. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A list of quoted texts for `IN (…)`; a list that matches nothing when there are none. */
export function textList(texts: readonly string[]): string {
  return texts.length === 0 ? "(NULL)" : `(${texts.map(quoted).join(", ")})`;
}

/** A pseudo-random number in [0, 1), the same for the same arguments and seed whatever the order of rows. */
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
