import { readFileSync } from "node:fs";
import { type Column, columnsOf } from "../../../shared/google/columns.ts";
import { datasetOf, LOADED_TABLES } from "../../../shared/products/loaded-tables.ts";

const COLUMN = /^ {2}(\w+) ([A-Z0-9]+)( NOT NULL)?/gm;

/** Returns the columns of the table that a load writes from its DDL, as the live warehouse reports them. */
export function columnsOfDdl(name: string): readonly Column[] {
  const target = LOADED_TABLES.flatMap((table) => (table.name === name ? [`${datasetOf(table)}.${name}`] : []));
  const text = readFileSync(new URL(`../../../infra/warehouse/${name}.sql`, import.meta.url), "utf8");
  const ddl = text.split(/^(?=CREATE TABLE)/m).find((one) => one.includes(` ${target} (`)) ?? "";
  const fields = [...ddl.matchAll(COLUMN)].map(([, name, type, notNull]) => ({ name, type, mode: notNull ? "REQUIRED" : "NULLABLE" }));
  return columnsOf({ schema: { fields } });
}
