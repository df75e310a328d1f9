import * as v from "valibot";

/** A named query parameter, of one of the types that the service uses. Times and dates are strings. */
export type Parameter =
  | { readonly type: "STRING" | "DATE" | "TIMESTAMP"; readonly value: string }
  | { readonly type: "INT64" | "FLOAT64"; readonly value: number }
  | { readonly type: "BOOL"; readonly value: boolean }
  | { readonly type: "ARRAY<INT64>"; readonly value: readonly number[] }
  | { readonly type: "ARRAY<STRING>"; readonly value: readonly string[] };

export type Parameters = Readonly<Record<string, Parameter>>;

/** GoogleSQL text with its typed parameters and the schema that parses its rows. */
export interface Statement<Row = unknown> {
  readonly sql: string;
  readonly parameters: Parameters;
  readonly row: v.GenericSchema<unknown, Row>;
}

/** Runs a statement and returns its rows. */
export type Query = <Row>(statement: Statement<Row>) => Promise<readonly Row[]>;

/** The row schema of DML, DDL, scripts and EXPORT DATA, which return no rows. */
export const NoRow = v.never();

/**
 * Returns a statement with only the parameters that its text names. BigQuery accepts unused ones, but only used ones should be sent.
 * @param row the schema of one row as the client returns it; `NoRow` for statements without rows
 */
export function statement<Row>(row: v.GenericSchema<unknown, Row>, sql: string, parameters: Parameters): Statement<Row> {
  return { sql, parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))), row };
}

/** Parses a statement's rows; ignores them if the schema is `NoRow`. Throws a `ValiError` for rows that do not match the schema. */
export function rowsOf<Row>({ row }: Statement<Row>, rows: readonly unknown[]): readonly Row[] {
  return row.type === NoRow.type ? [] : v.parse(v.array(row), rows);
}

/** Returns the only row. Throws if there is none, or more than one. */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length > 1) throw new Error(`The statement must return one row but returned ${rows.length}`);
  return row;
}
