import {
  BigQueryError,
  type Catalog,
  type DescribedTable,
  type Field,
  type ParameterType,
  type Statement,
  type TableInfo,
  type TableRef,
} from "../model.ts";
import { Context, type Names } from "./analyze/context.ts";
import { parseScript, parseViewQuery } from "./parse/script.ts";
import type { StatementNode } from "./parse/statement-ast.ts";
import { insert, remove, update } from "./statements/change.ts";
import { addColumns, createSchema, createTable, createView } from "./statements/definition.ts";
import { exportData } from "./statements/export.ts";
import { merge } from "./statements/merge.ts";
import { selectStatement } from "./statements/select.ts";

/** The name resolution of a script. A default dataset without a project belongs to the request's project. */
export interface TranslationContext {
  readonly project: string;
  readonly defaultDataset?: string | { readonly project: string; readonly dataset: string } | undefined;
  readonly catalog: Catalog;
}

function nameOf({ project, dataset, table }: TableRef): string {
  return `${project}.${dataset}.${table}`;
}

/** The catalog as it is after the preceding statements have run. */
class ScriptCatalog implements Catalog {
  readonly #before: Catalog;
  readonly #tables = new Map<string, TableInfo | undefined>();
  readonly #datasets = new Map<string, string>();

  constructor(before: Catalog) {
    this.#before = before;
  }

  dataset(project: string, dataset: string): { readonly location: string } | undefined {
    const location = this.#datasets.get(`${project}.${dataset}`);
    return this.#before.dataset(project, dataset) ?? (location === undefined ? undefined : { location });
  }

  table(ref: TableRef): TableInfo | undefined {
    const name = nameOf(ref);
    return this.#tables.has(name) ? this.#tables.get(name) : this.#before.table(ref);
  }

  described(view: TableRef): readonly DescribedTable[] {
    if (this.#tables.size > 0)
      throw new BigQueryError(
        "invalidQuery",
        `${view.table} after a definition in the same script is not supported by the local BigQuery`,
        "query",
      );
    return this.#before.described(view);
  }

  apply(statement: Statement, project: string): void {
    if (statement.kind === "create-schema") this.#datasets.set(`${project}.${statement.dataset}`, statement.location ?? "US");
    if (statement.kind === "drop") this.#tables.set(nameOf(statement.ref), undefined);
    if (statement.kind === "add-columns") this.#tables.set(nameOf(statement.ref), statement.table);
    if (statement.kind !== "create-table" && statement.kind !== "create-view") return;
    const { ref } = statement.table;
    if (statement.ifNotExists && this.table(ref)) return;
    this.#tables.set(nameOf(ref), statement.table);
  }
}

function translate(node: StatementNode, context: Context): Statement {
  switch (node.kind) {
    case "query":
      return selectStatement(node.query, context);
    case "insert":
      return insert(node, context);
    case "update":
      return update(node, context);
    case "delete":
      return remove(node, context);
    case "merge":
      return merge(node, context);
    case "create-table":
      return createTable(node, context);
    case "create-view":
      return createView(node, context);
    case "create-schema":
      return createSchema(node, context);
    case "add-columns":
      return addColumns(node, context);
    case "drop":
      return { kind: "drop", what: node.what, ref: context.tableRef(node.table.names), ifExists: node.ifExists };
    case "export":
      return exportData(node, context);
    case "transaction":
      return { kind: "transaction", verb: node.verb };
  }
}

/**
 * Translates GoogleSQL to statements for DuckDB: one or more, separated by `;`. A statement may use what earlier ones create. Parameters
 * are bound by `$name`, with the names given in `parameters`. The DuckDB session's TimeZone must be UTC and `MACROS` defined. Throws a
 * BigQueryError (`invalidQuery`, `notFound`, `invalid`) with BigQuery's own words for text that is invalid or not on the allow-list.
 */
export function translateScript(sql: string, parameters: Map<string, ParameterType>, context: TranslationContext): Statement[] {
  const { project, defaultDataset } = context;
  const catalog = new ScriptCatalog(context.catalog);
  const dataset = typeof defaultDataset === "string" ? { project, dataset: defaultDataset } : defaultDataset;
  const names: Names = { project, defaultDataset: dataset, catalog };
  return parseScript(sql).map((node) => {
    const statement = translate(node, new Context(sql, names, parameters));
    catalog.apply(statement, project);
    return statement;
  });
}

/**
 * Returns the columns of a view with this text, whose table names include their datasets. Tables that require a partition filter get it
 * from the view's readers. Throws as `translateScript` does, and for anything but one SELECT.
 */
export function translateView(text: string, { project, catalog }: Pick<TranslationContext, "project" | "catalog">): readonly Field[] {
  const context = new Context(text, { project, defaultDataset: undefined, catalog }, new Map()).definingView();
  return selectStatement(parseViewQuery(text), context).schema;
}
