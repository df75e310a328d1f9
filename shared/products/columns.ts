import type { FactTable, Publication } from "../publishing/fact-table.ts";

/** A column of values in the fact tables of a product, with what publishing must know of it. */
export interface ValueColumn {
  readonly type: "INT64" | "FLOAT64";
  /** `unique`: nobody is counted twice, so parts do not add up. `additive`: a row is the sum of its parts. `mean`: neither. */
  readonly adds: "unique" | "additive" | "mean";
  /** Whether a day's value of an additive column is the sum of its published hours. */
  readonly addsOverHours?: boolean;
  /** Whether it is filled in from the centroids of a pair where the country's rule says so. */
  readonly fromCentroids?: boolean;
  /** Added to tables that held rows already: BigQuery takes no REQUIRED column then, and rows from before have NULL, which counts as 0. */
  readonly nullable?: boolean;
}

/** A value that may be asked for by name. */
export interface Measure<Column extends string> {
  readonly column: Column;
  /** Taken over the published hours of a day instead of read from the table of days. */
  readonly overHours?: "average" | "maximum";
}

/** What publishing must know of a product's columns. `tables` are all of its fact tables. */
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

/** The GoogleSQL of a column's value in a row of its table. */
export function columnValue(name: string, { nullable }: ValueColumn): string {
  return nullable ? `COALESCE(${name}, 0)` : name;
}
