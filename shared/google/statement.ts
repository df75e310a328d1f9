import * as v from "valibot";

/** A named query parameter of one of the types that the service uses. Times and dates travel as text. */
export type Parameter =
  | { readonly type: "STRING" | "DATE" | "TIMESTAMP"; readonly value: string }
  | { readonly type: "INT64" | "FLOAT64"; readonly value: number }
  | { readonly type: "BOOL"; readonly value: boolean }
  | { readonly type: "ARRAY<INT64>"; readonly value: readonly number[] };

export type Parameters = Readonly<Record<string, Parameter>>;

/** GoogleSQL text with its typed parameters and the schema of its rows, with which they are parsed where they arrive. */
export interface Statement<Row = unknown> {
  readonly sql: string;
  readonly parameters: Parameters;
  readonly row: v.GenericSchema<unknown, Row>;
}

/** The row of DML, DDL, scripts and EXPORT DATA, which give none. */
export const NoRow = v.never();

/**
 * A statement with those of the parameters that its text names: BigQuery refuses none, but what is sent should be what is used.
 * @param row the schema of one row, as the client gives it; `NoRow` for what gives none
 */
export function statement<Row>(row: v.GenericSchema<unknown, Row>, sql: string, parameters: Parameters): Statement<Row> {
  return { sql, parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))), row };
}

/** Parses the rows that a statement gave; of one that gives none, whatever came is left alone. Throws a `ValiError` for other rows. */
export function rowsOf<Row>({ row }: Statement<Row>, rows: readonly unknown[]): readonly Row[] {
  return row.type === NoRow.type ? [] : v.parse(v.array(row), rows);
}

/** The row of a statement that gives one. Throws when there is none, or more than one. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`The statement must give one row and gave ${rows.length}`);
  return row;
}
