import { rulesOf } from "./batches.ts";
import type { FactTable, PublishedValue } from "./fact-table.ts";
import { nearestStep } from "./nearest-step.ts";
import { type RawRows, rawRows } from "./raw-rows.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** The batches of a fact table to publish. The query parameters are those of `loadParameters`. */
export interface PublishedTable extends RawRows {
  readonly table: Pick<FactTable, "name" | "key" | "publication">;
  readonly countries: readonly LoadedCountry[];
}

/** Returns the columns of a published row: its key, its batch and its values. */
export function publishedColumns({ key, publication }: PublishedTable["table"]): string[] {
  return [...new Set([...key, "batch_date"]), ...publication.values.map(({ column }) => column)];
}

/**
 * Returns a query of the published rows of a table without nesting, with `publishedColumns`: the rows of at least k devices, counts to the
 * nearest step.
 */
export function publishedRows({ table, countries, ...raw }: PublishedTable): string {
  const values = new Map(table.publication.values.map((value) => [value.column, `${ownValue(value)} AS ${value.column}`]));
  const columns = publishedColumns(table).map((name) => values.get(name) ?? `raw.${name}`);
  return `WITH rules AS (
  ${rulesOf(countries)}
)
SELECT ${columns.join(", ")}
FROM ${rawRows(raw, table.name)} AS raw
JOIN rules ON rules.country_code = raw.country_code
WHERE raw.devices >= rules.k`;
}

/**
 * Returns an expression for a told row's value, from `raw` and `rules`, if no other row bears on it. A mean is whole, unless it came protected: from an
 * exact one the devices that it is of can be computed, as from a fraction its denominator. Throws for a rule that needs nested areas, or pairs of them.
 */
export function ownValue(value: PublishedValue): string {
  const { column, rule } = value;
  if (rule === "mean") return `IF(rules.is_protected, raw.${column}, ROUND(raw.${column}))`;
  const stepped = nearestStep(`raw.${column}`, "rules.step");
  if (rule === "people") return stepped;
  if (rule === "additive") return `IF(raw.${column} > 0, ${stepped}, raw.${column})`;
  throw new Error(`the column ${column} has the rule ${rule}, which a row that stands alone cannot have`);
}
