import * as v from "valibot";
import type { Field } from "../local/bigquery/model.ts";
import type { Migration } from "./migration.ts";

const Column = v.looseObject({ name: v.string(), type: v.string(), mode: v.string() });
const Partition = v.nullable(v.object({ field: v.string(), type: v.string() }));
const Tables = v.record(v.string(), v.object({ partition: Partition, clustering: v.array(v.string()), schema: v.array(Column) }));

/** The tables of `infra/generated/tables.json`, as far as a release has to keep them. */
export const DefinedTables = v.object({ tables: Tables });
export type DefinedTables = v.InferOutput<typeof Tables>;

/** `infra/released/warehouse.json`: the tables and the migrations (checksums by name) of the last release. */
export const Released = v.object({ tables: Tables, migrations: v.record(v.string(), v.string()) });
export type Released = v.InferOutput<typeof Released>;

/** Returns what `infra/released/warehouse.json` says once these tables and migrations are released. */
export function released(tables: DefinedTables, migrations: readonly Migration[]): Released {
  return { tables, migrations: Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum])) };
}

/**
 * Returns a line for each change since the last release after which its code would not run on the tables, or which no migration makes in the
 * tables of a deployment. What is allowed: new tables, and new NULLABLE columns that a migration adds.
 */
export function growthFaults(before: Released, tables: DefinedTables, migrations: readonly Migration[]): string[] {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const changed = Object.entries(before.migrations)
    .filter(([name, checksum]) => checksums.get(name) !== checksum)
    .map(([name]) => `${name}: a released migration is changed or removed; restore it, and put the change into a new one`);
  const added = new Map(
    migrations.flatMap(({ name, steps }) =>
      steps.flatMap(({ table, columns }) => columns.map((column) => [`${table}.${column.name}`, { name, column }] as const)),
    ),
  );
  const undefinedColumns = [...added].flatMap(([path, { name, column }]) => {
    const [table, column_] = [path.slice(0, path.lastIndexOf(".")), column.name];
    const isDefined = tables[table]?.schema.some((one) => one.name === column_ && one.type === column.type && one.mode === "NULLABLE");
    return isDefined
      ? []
      : [`${name}: adds ${path} ${column.type}, which infra/warehouse does not define as a NULLABLE column of that type`];
  });
  const grown = Object.entries(before.tables).flatMap(([name, table]) => {
    const now = tables[name];
    return now === undefined ? [`${name}: a released table is removed`] : tableFaults(name, table, now, added);
  });
  return [...changed, ...undefinedColumns, ...grown];
}

type DefinedTable = DefinedTables[string];

function tableFaults(
  name: string,
  before: DefinedTable,
  now: DefinedTable,
  added: ReadonlyMap<string, { readonly column: Field }>,
): string[] {
  const columns = new Map(now.schema.map((column) => [column.name, column]));
  const faults = before.schema.flatMap((column) => {
    const same = columns.get(column.name);
    if (same === undefined) return [`${name}.${column.name}: a released column is removed`];
    if (shapeOf(same) === shapeOf(column)) return [];
    return [`${name}.${column.name}: a released column is changed from ${column.type} ${column.mode} to ${same.type} ${same.mode}`];
  });
  const layout = ({ partition, clustering }: DefinedTable) => JSON.stringify([partition, clustering]);
  if (layout(before) !== layout(now)) faults.push(`${name}: the partitioning or clustering of a released table is changed`);
  const released = new Set(before.schema.map((column) => column.name));
  for (const column of now.schema) {
    if (released.has(column.name) || added.has(`${name}.${column.name}`)) continue;
    faults.push(
      `${name}.${column.name}: no migration adds it; write one that says ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${column.name} …, NULLABLE`,
    );
  }
  return faults;
}

/** Everything of a column but its descriptions. */
function shapeOf(column: unknown): string {
  return JSON.stringify(column, (key, value: unknown) => (key === "description" ? undefined : value));
}
