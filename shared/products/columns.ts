import type { FactTable, Publication, PublishedValue } from "../publishing/fact-table.ts";

/** A value column in the fact tables of a product, with the rule by which its values are published. */
export type ValueColumn = {
  readonly type: "INT64" | "FLOAT64";
  /** Set for a column added to a table with rows. BigQuery then allows no REQUIRED column: earlier rows have NULL, which counts as 0. */
  readonly nullable?: boolean;
} & WithoutColumn<PublishedValue>;

type WithoutColumn<Value> = Value extends { readonly column: string } ? Omit<Value, "column"> : never;

/** A value that requests can select by name. */
export interface Measure<Column extends string> {
  readonly column: Column;
  /** How to aggregate the published hours of a day. Left out: the value comes from the table of days. */
  readonly overHours?: "average" | "maximum";
}

/** Returns the publishing rules of a product's columns. `tables` are all of its fact tables. */
export function publicationOf(
  columns: Readonly<Record<string, ValueColumn>>,
  nesting: Publication["nesting"],
  tables: readonly { readonly name: string; readonly bucket?: FactTable["bucket"] }[],
  byClass: Publication["byClass"],
): Publication {
  const hourly = tables.find(({ bucket }) => bucket === "hour");
  const daily = tables.find(({ bucket }) => bucket === "day");
  return {
    nesting,
    byClass,
    values: Object.entries(columns).map(([column, { type: _type, nullable: _nullable, ...value }]) => ({ ...value, column })),
    hours: hourly && daily ? { hourly: hourly.name, daily: daily.name } : undefined,
  };
}

/** Returns the GoogleSQL expression of a column's value in a row of its table. */
export function columnValue(name: string, { nullable }: ValueColumn): string {
  return nullable ? `COALESCE(${name}, 0)` : name;
}
