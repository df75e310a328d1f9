import type { DuckDBConnection } from "@duckdb/node-api";
import type { ParameterType } from "../model.ts";
import { parseParameters } from "../sql/parameters.ts";
import type { Bind } from "../warehouse/bytes.ts";

/** A query's parameters: their types for the translator and their values for DuckDB. */
export interface QueryParameters {
  readonly types: Map<string, ParameterType>;
  readonly bind: Bind;
}

/** Parses `queryParameters` in the shape of the REST API. Throws `invalid`. */
export function queryParameters(given: readonly unknown[]): QueryParameters {
  const parameters = parseParameters(given);
  return {
    types: parameters.types,
    bind: async (connection: DuckDBConnection, sql: string) => {
      const prepared = await connection.prepare(sql);
      for (let index = 1; index <= prepared.parameterCount; index++) {
        const value = parameters.binds.get(prepared.parameterName(index));
        if (value) prepared.bindValue(index, value.value, value.type);
      }
      return prepared;
    },
  };
}
