import {
  BigQueryError,
  type Field,
  type NewColumn,
  type Partitioning,
  type SelectStatement,
  type Statement,
  type TableInfo,
} from "../../model.ts";
import { withColumns } from "../../warehouse/new-columns.ts";
import { assertFieldNames } from "../../wire/field-names.ts";
import type { Context } from "../analyze/context.ts";
import type { Expression } from "../parse/ast.ts";
import type { ColumnDefinition, ColumnType, StatementNode } from "../parse/statement-ast.ts";
import { fieldOfType, type SqlType, typeNamed, typeOfField, typeText } from "../sql-type.ts";
import { daysOption, readOptions, textOption } from "./options.ts";
import { assertNoInterval, selectStatement } from "./select.ts";
import { stored } from "./target.ts";

type Node<Kind extends StatementNode["kind"]> = Extract<StatementNode, { kind: Kind }>;

const UNITS: readonly Partitioning["unit"][] = ["HOUR", "DAY", "MONTH", "YEAR"];
const CLUSTERABLE: readonly SqlType[] = ["INT64", "STRING", "BOOL", "DATE", "TIMESTAMP", "DATETIME", "NUMERIC", "GEOGRAPHY"];

function shape(name: string, type: ColumnType, context: Context, at: number): Field {
  if (type.kind === "struct") {
    const fields = type.fields.map((field) => column(field, context));
    return { name, type: "RECORD", mode: type.repeated ? "REPEATED" : "NULLABLE", fields };
  }
  const known = typeNamed(type.type);
  if (known === undefined)
    throw context.fail(at, `Type not found: ${type.type.kind === "scalar" ? type.type.name : "in the column's type"}`);
  return fieldOfType(name, known);
}

function column(definition: ColumnDefinition, context: Context): Field {
  const field = shape(definition.name, definition.type, context, definition.at);
  const description = textOption(readOptions(definition.options, { description: "STRING" }, "a column"), "description");
  assertFieldNames([field]);
  if (definition.required && field.mode === "REPEATED")
    throw context.fail(definition.at, "NOT NULL constraint cannot be applied to an array column");
  return { ...field, ...(definition.required ? { mode: "REQUIRED" as const } : {}), ...(description === undefined ? {} : { description }) };
}

/** Returns the column and the unit of PARTITION BY: a DATE column, DATE(timestamp), or a TRUNC of one of them. */
function partitioned(node: Expression, fields: readonly Field[], context: Context): Omit<Partitioning, "expirationMs"> {
  const of = node.kind === "call" ? node.args[0] : node;
  const name = of?.kind === "path" && of.names.length === 1 ? of.names[0] : undefined;
  const field = fields.find((candidate) => candidate.name.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && !field) throw context.fail(node.at, `Unrecognized name: ${name}`);
  const unit = field && partitionUnit(node, typeOfField(field));
  if (field && unit) return { column: field.name, unit };
  throw context.fail(
    node.at,
    "PARTITION BY expression must be DATE(<timestamp_column>), a DATE column, TIMESTAMP_TRUNC(<timestamp_column>, HOUR/DAY/MONTH/YEAR) or DATE_TRUNC(<date_column>, MONTH/YEAR)",
  );
}

/** Returns the unit by which an expression partitions a column of a type. Undefined if it is no such expression. */
function partitionUnit(node: Expression, type: SqlType): Partitioning["unit"] | undefined {
  if (node.kind === "path") return type === "DATE" ? "DAY" : undefined;
  if (node.kind !== "call") return undefined;
  const part = node.args[1];
  const written = part?.kind === "path" ? part.names[0]?.toUpperCase() : undefined;
  const unit = UNITS.find((candidate) => candidate === written);
  if (node.name === "DATE") return node.args.length === 1 && (type === "TIMESTAMP" || type === "DATETIME") ? "DAY" : undefined;
  if (node.name === "TIMESTAMP_TRUNC" && type === "TIMESTAMP") return unit;
  return node.name === "DATE_TRUNC" && unit !== "HOUR" && type === "DATE" ? unit : undefined;
}

function clustered(names: readonly string[], fields: readonly Field[], context: Context, at: number): string[] {
  if (names.length > 4) throw context.fail(at, "At most 4 clustering columns are supported");
  return names.map((name) => {
    const field = fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!field) throw context.fail(at, `Unrecognized name: ${name}`);
    const type = typeOfField(field);
    if (!CLUSTERABLE.includes(type)) throw context.fail(at, `Clustering by expressions of type ${typeText(type)} is not allowed`);
    return field.name;
  });
}

function tableOptions(node: Node<"create-table">, partitioning: Omit<Partitioning, "expirationMs"> | undefined, context: Context) {
  const options = readOptions(
    node.options,
    { description: "STRING", require_partition_filter: "BOOL", partition_expiration_days: "NUMBER" },
    "CREATE TABLE",
  );
  const expirationMs = daysOption(options, "partition_expiration_days");
  const requirePartitionFilter = options.get("require_partition_filter") === true;
  if (!partitioning && (expirationMs !== undefined || requirePartitionFilter))
    throw context.fail(node.at, "Partition options can be set on partitioned tables only");
  const description = textOption(options, "description");
  return {
    requirePartitionFilter,
    ...(description === undefined ? {} : { description }),
    ...(partitioning ? { partitioning: { ...partitioning, ...(expirationMs === undefined ? {} : { expirationMs }) } } : {}),
  };
}

function definedColumns(node: Node<"create-table">, as: SelectStatement | undefined, context: Context): readonly Field[] {
  const columns = node.columns?.map((definition) => column(definition, context));
  if (columns && as && columns.length !== as.schema.length)
    throw context.fail(node.at, "The number of columns in the column definition list does not match the query");
  if (columns) return columns;
  if (!as) throw context.fail(node.at, "CREATE TABLE needs a column list or a query");
  const nameless = as.schema.findIndex((field) => /^f\d+_$/.test(field.name));
  if (nameless >= 0) throw context.fail(node.at, `CREATE TABLE columns must be named, but column ${nameless + 1} has no name`);
  return as.schema;
}

/** Returns the SQL of a query's rows as a table stores them. */
function storedRows({ sql, schema }: SelectStatement): string {
  if (schema.every(({ mode }) => mode !== "REPEATED")) return sql;
  const values = schema.map((field, index) => stored(`r.c${index}`, { name: field.name, type: typeOfField(field) }));
  return `SELECT ${values.join(", ")} FROM (${sql}) AS r(${schema.map((_, index) => `c${index}`).join(", ")})`;
}

export function createTable(node: Node<"create-table">, context: Context): Extract<Statement, { kind: "create-table" }> {
  const ref = context.tableRef(node.table.names);
  if (node.columns && node.as)
    throw context.fail(node.at, "CREATE TABLE with both a column list and AS SELECT is not supported by the local BigQuery");
  const as = node.as && selectStatement(node.as, context);
  const fields = definedColumns(node, as, context);
  assertNoInterval(fields, "CREATE TABLE");
  const names = fields.map((field) => field.name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw context.fail(node.at, `Duplicate column name ${twice} in CREATE TABLE`);
  const partitioning = node.partitionBy && partitioned(node.partitionBy, fields, context);
  const table: TableInfo = {
    ref,
    fields,
    clustering: clustered(node.clusterBy, fields, context, node.at),
    ...tableOptions(node, partitioning, context),
  };
  return {
    kind: "create-table",
    table,
    ifNotExists: node.mode === "if-not-exists",
    replace: node.mode === "or-replace",
    ...(as ? { as: { ...as, sql: storedRows(as) } } : {}),
  };
}

/** Translates ALTER TABLE … ADD COLUMN. Throws for a view, for a REQUIRED column, and for one that exists without IF NOT EXISTS. */
export function addColumns(node: Node<"add-columns">, context: Context): Extract<Statement, { kind: "add-columns" }> {
  const info = context.table(node.table.names);
  const { dataset, table: name } = info.ref;
  if (info.view !== undefined) throw new BigQueryError("invalidQuery", `Cannot add columns to the view ${dataset}.${name}`, "query");
  const columns = node.columns.map(({ definition, ifNotExists }): NewColumn => {
    const field = column(definition, context);
    if (field.mode === "REQUIRED")
      throw context.fail(definition.at, `Cannot add required fields to an existing schema. (field: ${field.name})`);
    return { field, ifNotExists };
  });
  return { kind: "add-columns", ref: info.ref, columns, table: withColumns(info, columns).info };
}

export function createView(node: Node<"create-view">, context: Context): Extract<Statement, { kind: "create-view" }> {
  const ref = context.tableRef(node.table.names);
  const description = textOption(readOptions(node.options, { description: "STRING" }, "CREATE VIEW"), "description");
  // If a view's table requires a partition filter, the view's reader must supply it.
  const { schema } = selectStatement(node.query, context.definingView());
  if (context.usedParameters.length > 0) throw context.fail(node.at, "Query parameters cannot be used in a view");
  const table: TableInfo = {
    ref,
    fields: schema,
    requirePartitionFilter: false,
    clustering: [],
    view: node.text,
    ...(description === undefined ? {} : { description }),
  };
  return { kind: "create-view", table, replace: node.mode === "or-replace", ifNotExists: node.mode === "if-not-exists" };
}

export function createSchema(node: Node<"create-schema">, context: Context): Extract<Statement, { kind: "create-schema" }> {
  const [first = "", second, ...rest] = node.path.names;
  if (rest.length > 0 || (second !== undefined && first !== context.names.project))
    throw new BigQueryError("invalid", `Invalid dataset name: ${node.path.names.join(".")}`, "query");
  const options = readOptions(
    node.options,
    { location: "STRING", description: "STRING", default_table_expiration_days: "NUMBER" },
    "CREATE SCHEMA",
  );
  const location = textOption(options, "location");
  const description = textOption(options, "description");
  const defaultTableExpirationMs = daysOption(options, "default_table_expiration_days");
  return {
    kind: "create-schema",
    dataset: second ?? first,
    ifNotExists: node.mode === "if-not-exists",
    ...(location === undefined ? {} : { location }),
    ...(description === undefined ? {} : { description }),
    ...(defaultTableExpirationMs === undefined ? {} : { defaultTableExpirationMs }),
  };
}
