import type { FactTable, Publication } from "../publishing/fact-table.ts";

/** A value column in the fact tables of a product, with its publishing rules. */
export interface ValueColumn {
  readonly type: "INT64" | "FLOAT64";
  /** `unique`: each person counts once, so parts do not add up. `additive`: a row is the sum of its parts. `mean`: neither. */
  readonly adds: "unique" | "additive" | "mean";
  /** Whether a day's value of an additive column is the sum over its published hours. */
  readonly addsOverHours?: boolean;
  /** Whether a load computes it from the centroids of a pair, if the country's rule says so. It is never in a file. */
  readonly fromCentroids?: boolean;
  /** Set for a column added to a table with rows. BigQuery then allows no REQUIRED column: earlier rows have NULL, which counts as 0. */
  readonly nullable?: boolean;
}

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
): Publication {
  const named = (test: (column: ValueColumn) => boolean | undefined) =>
    Object.entries(columns).flatMap(([name, column]) => (test(column) ? [name] : []));
  const hourly = tables.find(({ bucket }) => bucket === "hour");
  const daily = tables.find(({ bucket }) => bucket === "day");
  const overHours = named(({ adds, addsOverHours }) => adds === "additive" && addsOverHours);
  return {
    nesting,
    additive: named(({ adds }) => adds === "additive"),
    daysFromHours: hourly && daily && overHours.length > 0 ? { hourly: hourly.name, daily: daily.name, columns: overHours } : undefined,
    distanceColumn: named(({ fromCentroids }) => fromCentroids)[0],
  };
}

/** Returns the GoogleSQL expression of a column's value in a row of its table. */
export function columnValue(name: string, { nullable }: ValueColumn): string {
  return nullable ? `COALESCE(${name}, 0)` : name;
}
