import { readFileSync } from "node:fs";
import { type Column, columnsOf } from "../columns.ts";

const COLUMN = /^ {2}(\w+) ([A-Z0-9]+)( NOT NULL)?/gm;

/** Returns the columns of a table from its DDL, as the live warehouse reports them. */
export function columnsOfDdl(table: string): readonly Column[] {
  const ddl = readFileSync(new URL(`../../../infra/warehouse/${table}.sql`, import.meta.url), "utf8");
  const fields = [...ddl.matchAll(COLUMN)].map(([, name, type, notNull]) => ({ name, type, mode: notNull ? "REQUIRED" : "NULLABLE" }));
  return columnsOf({ schema: { fields } });
}
