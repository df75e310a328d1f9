import { BigQueryError, type DescribedTable, type Field, type TableInfo, type TableRef } from "../../model.ts";
import { RESERVED } from "../parse/keywords.ts";
import { duckType, quoteName, quoteText, type Scalar, typeOfField, typeText } from "../sql-type.ts";
import type { Context } from "./context.ts";
import type { Relation } from "./relation.ts";

const INFORMATION_SCHEMA = "INFORMATION_SCHEMA";

/** A value of a row: undefined is NULL. */
type Cell = string | number | undefined;

interface View {
  readonly columns: Readonly<Record<string, Scalar>>;
  readonly rows: (table: DescribedTable) => readonly Readonly<Record<string, Cell>>[];
}

const CONSTRAINT_NAME = { constraint_catalog: "STRING", constraint_schema: "STRING", constraint_name: "STRING" } as const;
const TABLE_NAME = { table_catalog: "STRING", table_schema: "STRING", table_name: "STRING" } as const;

/** The columns are those of BigQuery's reference, in its order. Columns of features that this server does not have are NULL. */
const VIEWS: Readonly<Record<string, View>> = {
  TABLES: {
    columns: {
      ...TABLE_NAME,
      table_type: "STRING",
      managed_table_type: "STRING",
      is_insertable_into: "STRING",
      is_fine_grained_mutations_enabled: "STRING",
      is_typed: "STRING",
      is_change_history_enabled: "STRING",
      creation_time: "TIMESTAMP",
      base_table_catalog: "STRING",
      base_table_schema: "STRING",
      base_table_name: "STRING",
      snapshot_time_ms: "TIMESTAMP",
      replica_source_catalog: "STRING",
      replica_source_schema: "STRING",
      replica_source_name: "STRING",
      replication_status: "STRING",
      replication_error: "STRING",
      ddl: "STRING",
      default_collation_name: "STRING",
      upsert_stream_apply_watermark: "TIMESTAMP",
    },
    rows: ({ info, creationTime }) => [
      {
        ...nameOf(info.ref),
        table_type: info.view === undefined ? "BASE TABLE" : "VIEW",
        managed_table_type: info.view === undefined ? "NATIVE" : undefined,
        is_insertable_into: yesOrNo(info.view === undefined),
        is_fine_grained_mutations_enabled: "NO",
        is_typed: "NO",
        is_change_history_enabled: "NO",
        creation_time: creationTime,
        ddl: ddlOf(info),
      },
    ],
  },
  COLUMNS: {
    columns: {
      ...TABLE_NAME,
      column_name: "STRING",
      ordinal_position: "INT64",
      is_nullable: "STRING",
      data_type: "STRING",
      is_generated: "STRING",
      generation_expression: "STRING",
      is_stored: "STRING",
      is_hidden: "STRING",
      is_updatable: "STRING",
      is_system_defined: "STRING",
      is_partitioning_column: "STRING",
      clustering_ordinal_position: "INT64",
      collation_name: "STRING",
      column_default: "STRING",
      rounding_mode: "STRING",
    },
    rows: ({ info }) => info.fields.map((field, index) => columnOf(info, field, index + 1)),
  },
  VIEWS: {
    columns: { ...TABLE_NAME, view_definition: "STRING", check_option: "STRING", use_standard_sql: "STRING" },
    rows: ({ info }) => (info.view === undefined ? [] : [{ ...nameOf(info.ref), view_definition: info.view, use_standard_sql: "YES" }]),
  },
  // No table has a constraint. The JDBC drivers ask for keys.
  TABLE_CONSTRAINTS: {
    columns: {
      ...CONSTRAINT_NAME,
      ...TABLE_NAME,
      constraint_type: "STRING",
      is_deferrable: "STRING",
      initially_deferred: "STRING",
      enforced: "STRING",
    },
    rows: () => [],
  },
  KEY_COLUMN_USAGE: {
    columns: {
      ...CONSTRAINT_NAME,
      ...TABLE_NAME,
      column_name: "STRING",
      ordinal_position: "INT64",
      position_in_unique_constraint: "INT64",
    },
    rows: () => [],
  },
  CONSTRAINT_COLUMN_USAGE: {
    columns: { ...TABLE_NAME, column_name: "STRING", ...CONSTRAINT_NAME },
    rows: () => [],
  },
};

/**
 * Returns a view of INFORMATION_SCHEMA as a relation of constants, undefined for the name of anything else. The catalog decides whether the
 * caller sees it. Throws `invalidQuery` for a view that this server does not have.
 */
export function informationSchemaView(path: readonly string[], context: Context): Relation | undefined {
  const ref = viewOf(path, context);
  if (ref === undefined) return undefined;
  const dataset = context.names.catalog.dataset(ref.project, ref.dataset);
  const tables = context.names.catalog.described(ref);
  if (!dataset) throw new BigQueryError("notFound", `Not found: Dataset ${ref.project}:${ref.dataset} was not found`, "query");
  const view = VIEWS[ref.table.slice(INFORMATION_SCHEMA.length + 1)];
  if (view === undefined)
    throw new BigQueryError(
      "invalidQuery",
      `${ref.table} is not supported by the local BigQuery: ${Object.keys(VIEWS).join(", ")} are`,
      "query",
    );
  const columns = Object.entries(view.columns);
  const selects = tables
    .flatMap(view.rows)
    .map((row) => `SELECT ${columns.map(([name, type]) => cellSql(row[name], name, type)).join(", ")}`);
  const none = `SELECT ${columns.map(([name, type]) => cellSql(undefined, name, type)).join(", ")} WHERE false`;
  return {
    sql: selects.length === 0 ? none : selects.join(" UNION ALL "),
    columns: columns.map(([name, type]) => ({ name, emitted: name, type, uses: [], origins: [] })),
  };
}

/** Returns the full name of a view of INFORMATION_SCHEMA: of a dataset, of a region, or of the default dataset or project. */
function viewOf(path: readonly string[], { names }: Context): TableRef | undefined {
  if (path.at(-2)?.toUpperCase() !== INFORMATION_SCHEMA || path.length > 4) return undefined;
  const table = `${INFORMATION_SCHEMA}.${path.at(-1)?.toUpperCase()}`;
  const [first, second] = path.slice(0, -2);
  if (first !== undefined && second !== undefined) return { project: first, dataset: second, table };
  if (first !== undefined) return { project: names.project, dataset: first, table };
  if (names.defaultDataset !== undefined) return { ...names.defaultDataset, table };
  throw new BigQueryError("invalid", `Table "${table}" must be qualified with a dataset (e.g. dataset.${table}).`, "query");
}

function cellSql(value: Cell, name: string, type: Scalar): string {
  return `${valueSql(value, type)}::${duckType(type)} AS ${quoteName(name)}`;
}

function valueSql(value: Cell, type: Scalar): string {
  if (value === undefined) return "NULL";
  if (typeof value === "string") return quoteText(value);
  return type === "TIMESTAMP" ? `make_timestamptz(${Math.round(value * 1000)})` : String(value);
}

function nameOf({ project, dataset, table }: TableRef): Record<keyof typeof TABLE_NAME, string> {
  return { table_catalog: project, table_schema: dataset, table_name: table };
}

function columnOf(info: TableInfo, field: Field, position: number): Readonly<Record<string, Cell>> {
  const isField = (name: string | undefined): boolean => name?.toLowerCase() === field.name.toLowerCase();
  const clustering = info.clustering.findIndex(isField);
  return {
    ...nameOf(info.ref),
    column_name: field.name,
    ordinal_position: position,
    is_nullable: yesOrNo(field.mode !== "REQUIRED"),
    data_type: typeText(typeOfField(field)),
    is_generated: "NEVER",
    is_hidden: "NO",
    is_system_defined: "NO",
    is_partitioning_column: yesOrNo(isField(info.partitioning?.column)),
    clustering_ordinal_position: clustering < 0 ? undefined : clustering + 1,
  };
}

function yesOrNo(value: boolean): string {
  return value ? "YES" : "NO";
}

/** Returns the statement that creates the table again, with the parts that this server knows. */
function ddlOf({ ref, fields, partitioning, clustering, view }: TableInfo): string {
  const name = `\`${ref.project}.${ref.dataset}.${ref.table}\``;
  if (view !== undefined) return `CREATE VIEW ${name}\nAS ${view};`;
  const columns = fields.map(
    (field) => `  ${nameText(field.name)} ${typeText(typeOfField(field))}${field.mode === "REQUIRED" ? " NOT NULL" : ""}`,
  );
  const by = partitioning && partitionText(partitioning.column, partitioning.unit, fields);
  const lines = [
    `CREATE TABLE ${name}\n(\n${columns.join(",\n")}\n)`,
    ...(by === undefined ? [] : [`PARTITION BY ${by}`]),
    ...(clustering.length === 0 ? [] : [`CLUSTER BY ${clustering.map(nameText).join(", ")}`]),
  ];
  return `${lines.join("\n")};`;
}

function nameText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name.toUpperCase()) ? name : `\`${name}\``;
}

function partitionText(name: string, unit: string, fields: readonly Field[]): string {
  const type = fields.find((field) => field.name === name)?.type;
  const column = nameText(name);
  if (unit === "DAY") return type === "DATE" ? column : `DATE(${column})`;
  return `${type === "DATE" ? "DATE" : "TIMESTAMP"}_TRUNC(${column}, ${unit})`;
}
