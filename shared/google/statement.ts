/** A named query parameter of one of the types that the service uses. Times and dates travel as text. */
export type Parameter =
  | { readonly type: "STRING" | "DATE" | "TIMESTAMP"; readonly value: string }
  | { readonly type: "INT64" | "FLOAT64"; readonly value: number }
  | { readonly type: "BOOL"; readonly value: boolean }
  | { readonly type: "ARRAY<INT64>"; readonly value: readonly number[] };

export type Parameters = Readonly<Record<string, Parameter>>;

/** GoogleSQL text with its typed parameters: all that the warehouse needs. */
export interface Statement {
  readonly sql: string;
  readonly parameters: Parameters;
}

/** Removes those parameters that a text does not name: BigQuery refuses none, but what is sent should be what is used. */
export function statement(sql: string, parameters: Parameters): Statement {
  return { sql, parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))) };
}
