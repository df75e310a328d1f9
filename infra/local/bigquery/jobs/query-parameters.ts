import type { DuckDBConnection } from "@duckdb/node-api";
import type { ParameterType } from "../model.ts";
import { type ParameterValues, withLiterals } from "../sql/parameter-values.ts";
import { parseParameters } from "../sql/parameters.ts";

/** A query's parameters: their types for the translator and their values for DuckDB. */
export interface QueryParameters {
  readonly types: Map<string, ParameterType>;
  readonly values: ParameterValues;
}

/** Parses `queryParameters` in the shape of the REST API. Throws `invalid`. */
export function queryParameters(given: readonly unknown[]): QueryParameters {
  const parameters = parseParameters(given);
  const write = (sql: string) => withLiterals(sql, parameters.literals);
  return {
    types: parameters.types,
    values: {
      write,
      async prepare(connection: DuckDBConnection, sql: string) {
        const prepared = await connection.prepare(write(sql));
        for (let index = 1; index <= prepared.parameterCount; index++) {
          const value = parameters.binds.get(prepared.parameterName(index));
          if (value) prepared.bindValue(index, value.value, value.type);
        }
        return prepared;
      },
    },
  };
}
