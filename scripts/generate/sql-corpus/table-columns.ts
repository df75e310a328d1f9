import { SQL_NAMES } from "../../../infra/local/bigquery/wire/column-types.ts";
import { warehouseDefinitions } from "../warehouse-definitions.ts";

/** A column of a table's definition: its type as GoogleSQL names it. */
export interface DefinedColumn {
  readonly name: string;
  readonly type: string;
}

/** Returns the columns of a table from its definition. Throws if there is none. */
export function definedColumns(dataset: string, table: string): DefinedColumn[] {
  for (const one of warehouseDefinitions())
    if (one.kind === "create-table" && one.table.ref.dataset === dataset && one.table.ref.table === table)
      return one.table.fields.map(({ name, type }) => ({ name, type: SQL_NAMES[type] }));
  throw new Error(`${dataset}.${table} is not defined in infra/warehouse`);
}
