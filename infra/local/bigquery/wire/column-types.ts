import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import { BigQueryError, type Field, type FieldType } from "../model.ts";
import { duckType, quoteName, typeOfField } from "../sql/sql-type.ts";

/** GoogleSQL's name of each legacy type, as error messages use it. */
export const SQL_NAMES: Readonly<Record<FieldType, string>> = {
  STRING: "STRING",
  BYTES: "BYTES",
  INTEGER: "INT64",
  FLOAT: "FLOAT64",
  NUMERIC: "NUMERIC",
  BOOLEAN: "BOOL",
  TIMESTAMP: "TIMESTAMP",
  DATE: "DATE",
  TIME: "TIME",
  DATETIME: "DATETIME",
  INTERVAL: "INTERVAL",
  GEOGRAPHY: "GEOGRAPHY",
  JSON: "JSON",
  RECORD: "STRUCT",
};

/** Returns the column's declaration for a CREATE TABLE. */
export function columnDeclaration(field: Field): string {
  return `${quoteName(field.name)} ${duckType(typeOfField(field))}${field.mode === "REQUIRED" ? " NOT NULL" : ""}`;
}

/** Returns the BigQuery column of a result column. Throws `invalidQuery` for a type that BigQuery does not have. */
export function fieldOf(name: string, type: DuckDBType): Field {
  if (type.typeId === DuckDBTypeId.LIST || type.typeId === DuckDBTypeId.ARRAY) {
    const item = fieldOf(name, type.valueType);
    if (item.mode === "REPEATED")
      throw new BigQueryError("invalidQuery", `Cannot construct array with element type ARRAY<${SQL_NAMES[item.type]}> in column ${name}`);
    return { ...item, mode: "REPEATED" };
  }
  if (type.typeId === DuckDBTypeId.STRUCT) {
    const fields = type.entryNames.flatMap((child, index) => {
      const childType = type.entryTypes[index];
      return childType === undefined ? [] : [fieldOf(child, childType)];
    });
    return { name, type: "RECORD", mode: "NULLABLE", fields };
  }
  return { name, type: scalarOf(name, type), mode: "NULLABLE" };
}

function scalarOf(name: string, type: DuckDBType): FieldType {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return type.alias === "JSON" ? "JSON" : "STRING";
    case DuckDBTypeId.BLOB:
      return "BYTES";
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
    // BigQuery types a bare NULL as INT64.
    case DuckDBTypeId.SQLNULL:
      return "INTEGER";
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return "FLOAT";
    case DuckDBTypeId.DECIMAL:
      return "NUMERIC";
    case DuckDBTypeId.BOOLEAN:
      return "BOOLEAN";
    case DuckDBTypeId.TIMESTAMP_TZ:
      return "TIMESTAMP";
    case DuckDBTypeId.TIMESTAMP:
      return "DATETIME";
    case DuckDBTypeId.DATE:
      return "DATE";
    case DuckDBTypeId.TIME:
      return "TIME";
    default:
      throw new BigQueryError("invalidQuery", `Column ${name} has a type that BigQuery does not have: ${type}`);
  }
}
