import type { Publication } from "./fact-table.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** Returns the strict countries among those of a load, as a list of parameters; undefined if there is none. */
export function strictCountries(countries: readonly LoadedCountry[]): string | undefined {
  const codes = countries.flatMap(({ isStrict }, index) => (isStrict ? [`@country_${index}`] : []));
  return codes.length === 0 ? undefined : `(${codes.join(", ")})`;
}

/**
 * Returns the condition of the decided rows of a table that are published, under an alias: in strict countries no hours of the finest type.
 * Undefined if all are. Coarser hours, and days, are decided from the finest hours all the same.
 */
export function published(
  countries: readonly LoadedCountry[],
  { nesting, hours }: Publication,
  table: string,
  alias: string,
): string | undefined {
  if (nesting !== "areas" || hours?.hourly !== table || strictCountries(countries) === undefined) return undefined;
  const finest = countries.flatMap(({ isStrict, finestType }, index) =>
    isStrict && finestType !== undefined ? [`WHEN @country_${index} THEN '${finestType}'`] : [],
  );
  return `${alias}.geo_type IS DISTINCT FROM CASE ${alias}.country_code ${finest.join(" ")} END`;
}

/**
 * Returns a query of published rows with one column more, the class of `byClass`. Rows of other countries are of one id and have no class, ''.
 * In strict countries the rows are of all ids of a class: the id and the other columns of `byClass.over` are 0, and the values are sums of the
 * told rows. A class is told where at least k of its ids are, so that it stands for none of them.
 */
export function publishedByClass(
  query: string,
  { values, byClass }: Publication,
  columns: readonly string[],
  countries: readonly LoadedCountry[],
): string {
  if (!byClass) return query;
  const strict = strictCountries(countries);
  const ofOne = `SELECT ${columns.map((name) => (name === byClass.column ? `'' AS ${name}` : `told.${name}`)).join(", ")}\nFROM told`;
  if (strict === undefined) return `WITH told AS (\n${query}\n)\n${ofOne}`;
  const { id, over, table, from } = byClass;
  const summed = new Map(values.map(({ column }) => [column, `SUM(told.${column}) AS ${column}`]));
  const kept = columns.filter((name) => !summed.has(name) && name !== byClass.column && name !== id && !over.includes(name));
  const ofClass = (name: string): string => {
    if (name === byClass.column) return `classified.${from} AS ${name}`;
    return summed.get(name) ?? (kept.includes(name) ? `told.${name}` : `0 AS ${name}`);
  };
  const k = countries.flatMap(({ isStrict }, index) => (isStrict ? [`WHEN @country_${index} THEN @k_${index}`] : []));
  return `WITH told AS (
${query}
)
${ofOne}
WHERE told.country_code NOT IN ${strict}
UNION ALL
SELECT ${columns.map(ofClass).join(", ")}
FROM told
JOIN \`mobility.${table}\` AS classified ON classified.country_code = told.country_code AND classified.${id} = told.${id}
WHERE told.country_code IN ${strict}
GROUP BY ${[...kept.map((name) => `told.${name}`), `classified.${from}`].join(", ")}
HAVING COUNT(DISTINCT told.${id}) >= CASE told.country_code ${k.join(" ")} END`;
}
