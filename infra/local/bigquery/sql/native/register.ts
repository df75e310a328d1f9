import { type DuckDBConnection, type DuckDBDataChunk, DuckDBScalarFunction, type DuckDBType, type DuckDBVector } from "@duckdb/node-api";

/** A value of a vector: VARCHAR, DOUBLE, BIGINT or BOOLEAN. Null stays null. */
export type Cell = string | number | bigint | boolean | null;

/** A function in JavaScript that the translated SQL calls. Its result is null if an argument is null. */
export interface NativeFunction {
  readonly name: string;
  readonly parameterTypes: readonly DuckDBType[];
  readonly returnType: DuckDBType;
  /** Returns the value for a row whose arguments are not null. Throws if they are invalid. */
  readonly of: (...args: readonly Exclude<Cell, null>[]) => Cell;
}

function column(chunk: DuckDBDataChunk, index: number): (row: number) => Cell {
  const vector = chunk.getColumnVector(index);
  return (row) => {
    const item = vector.getItem(row);
    return typeof item === "string" || typeof item === "number" || typeof item === "bigint" || typeof item === "boolean" ? item : null;
  };
}

function isWritable(vector: DuckDBVector): vector is DuckDBVector & { setItem(row: number, value: Cell): void } {
  return "setItem" in vector;
}

function scalarFunction({ name, parameterTypes, returnType, of }: NativeFunction): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name,
    parameterTypes,
    returnType,
    mainFunction: (info, chunk, output) => {
      try {
        if (!isWritable(output)) throw new Error(`The result of ${name} cannot be written`);
        const columns = parameterTypes.map((_, index) => column(chunk, index));
        for (let row = 0; row < chunk.rowCount; row++) {
          const args = columns.map((cell) => cell(row)).filter((cell) => cell !== null);
          output.setItem(row, args.length === parameterTypes.length ? of(...args) : null);
        }
        output.flush();
      } catch (error) {
        info.setError(error instanceof Error ? error.message : `${name} failed`);
      }
    },
  });
}

/** Registers functions on a connection, for its whole database. */
export function registerNative(connection: DuckDBConnection, functions: readonly NativeFunction[]): void {
  for (const definition of functions) connection.registerScalarFunction(scalarFunction(definition));
}
