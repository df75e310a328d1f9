import type { Field, Statement, TableInfo } from "../../infra/local/bigquery/model.ts";
import { READ_AS, warehouseDefinitions } from "./warehouse-definitions.ts";

/** The scenario of each view of `infra/warehouse/customer`. */
const SCENARIO_OF_VIEW: Readonly<Record<string, "A" | "B">> = { realtime_data: "B", target_country_summary_view_customer: "A" };

/**
 * Returns `infra/warehouse` for Terraform, which cannot parse SQL: datasets by name and tables by `dataset.table`, with columns in the
 * format of BigQuery's API and null for what a definition omits. Times are in milliseconds.
 */
export function terraformTables(): object {
  const statements = warehouseDefinitions();
  return {
    datasets: Object.fromEntries(
      schemasOf(statements, false).map(({ dataset, location, description, defaultTableExpirationMs = null }) => [
        dataset,
        { location, description, default_table_expiration_ms: defaultTableExpirationMs },
      ]),
    ),
    tables: Object.fromEntries(
      statements.flatMap((one) =>
        one.kind === "create-table" && !isCustomers(one.table)
          ? [[`${one.table.ref.dataset}.${one.table.ref.table}`, asTable(one.table)]]
          : [],
      ),
    ),
  };
}

/**
 * Returns the views that Terraform creates for each customer, by name: the scenario, the dataset and query with `{uid}` and `{project}` as
 * placeholders for the customer and the data's project, the customer's own table that it reads, and that table's dataset, which must authorise
 * the view. Throws for a view without a scenario, or that reads anything else.
 */
export function terraformCustomerViews(): object {
  const statements = warehouseDefinitions();
  const views = statements.flatMap((one) => (one.kind === "create-view" ? [one.table] : []));
  const tables = statements.flatMap((one) => (one.kind === "create-table" && isCustomers(one.table) ? [one.table] : []));
  return Object.fromEntries(
    views.map(({ ref, description, view = "" }) => {
      const schema = schemasOf(statements, true).find(({ dataset }) => dataset === ref.dataset);
      const [reads, ...others] = new Set([...view.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name));
      const table = tables.find(({ ref: { dataset, table } }) => `${dataset}.${table}` === reads);
      const scenario = SCENARIO_OF_VIEW[ref.table];
      if (schema === undefined || table === undefined || others.length > 0 || scenario === undefined)
        throw new Error(`The view ${ref.table} needs its own dataset, a scenario, and exactly one table, the customer's, that it reads`);
      const query = view.trim().replaceAll(/`(\w+\.\w+)`/g, "`{project}.$1`");
      return [
        ref.table,
        {
          scenario,
          dataset: forAnyone(ref.dataset),
          dataset_description: schema.description,
          location: schema.location,
          description,
          reads: table.ref.dataset,
          query: forAnyone(query),
          table: { ...asTable(table), table: forAnyone(table.ref.table) },
        },
      ];
    }),
  );
}

/** Whether a table is one of each customer. */
function isCustomers({ ref }: TableInfo): boolean {
  return ref.table.includes(READ_AS);
}

function schemasOf(statements: readonly Statement[], isCustomers: boolean) {
  return statements.flatMap((one) => (one.kind === "create-schema" && one.dataset.includes(READ_AS) === isCustomers ? [one] : []));
}

function forAnyone(text: string): string {
  return text.replaceAll(READ_AS, "{uid}");
}

function asTable({ ref, description, fields, partitioning, requirePartitionFilter, clustering }: TableInfo): object {
  const { column, unit, expirationMs = null } = partitioning ?? {};
  return {
    dataset: ref.dataset,
    table: ref.table,
    description,
    partition: partitioning === undefined ? null : { field: column, type: unit, expiration_ms: expirationMs },
    require_partition_filter: requirePartitionFilter,
    clustering,
    schema: fields.map(asColumn),
  };
}

/** Returns a column in BigQuery's member order, without absent members. */
function asColumn({ name, type, mode, description, fields }: Field): object {
  return {
    name,
    type,
    mode,
    ...(description === undefined ? {} : { description }),
    ...(fields === undefined ? {} : { fields: fields.map(asColumn) }),
  };
}
