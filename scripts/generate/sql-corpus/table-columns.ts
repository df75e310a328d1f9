import { readFileSync } from "node:fs";

/** A column of a table's definition. */
export interface DefinedColumn {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Returns the columns of a table of `mobility` from its definition, which has one column per line. */
export function definedColumns(table: string): DefinedColumn[] {
  const ddl = readFileSync(new URL(`../../../infra/warehouse/${table}.sql`, import.meta.url), "utf8");
  return [...ddl.matchAll(/^ {2}(\w+) (\w+)( NOT NULL)?(?: OPTIONS .*)?,?$/gm)].map(([, name = "", type = "", required]) => ({
    name,
    type,
    isRequired: required !== undefined,
  }));
}
