import type { QueryEngine } from "../jobs/query-engine.ts";
import { withViewFields } from "../jobs/view-fields.ts";
import { StreamingInserts } from "../load/insert-all.ts";
import { BigQueryError, type TableRef } from "../model.ts";
import { type DatasetEntry, datasetNotFound, tableName, tableNotFound } from "../warehouse/catalog.ts";
import { tableOfRequest, tableResource, tableSummary } from "../warehouse/table-resource.ts";
import { assertMayChange, assertMayRead } from "./caller.ts";
import type { ApiRequest, Route } from "./http.ts";
import { pageOfList } from "./paging.ts";
import { parseRequest } from "./parse.ts";
import { queryOfTable, resultTableData, resultTableResource } from "./result-table-data.ts";
import { tableData } from "./table-data.ts";
import { InsertAllSchema, TablePatchSchema, TableRequestSchema } from "./table-requests.ts";

/** The routes under `tables`. */
export function tableRoutes(engine: QueryEngine): Route[] {
  const routes = new TableRoutes(engine);
  const tables = "/projects/:project/datasets/:dataset/tables";
  return [
    { method: "POST", path: tables, handler: (request) => routes.insert(request) },
    { method: "GET", path: tables, handler: (request) => routes.list(request) },
    { method: "GET", path: `${tables}/:table`, handler: (request) => routes.get(request) },
    { method: "PATCH", path: `${tables}/:table`, handler: (request) => routes.patch(request) },
    { method: "DELETE", path: `${tables}/:table`, handler: (request) => routes.delete(request) },
    { method: "GET", path: `${tables}/:table/data`, handler: (request) => routes.data(request) },
    { method: "POST", path: `${tables}/:table/insertAll`, nullsIn: "json", handler: (request) => routes.insertAll(request) },
  ];
}

class TableRoutes {
  readonly #engine: QueryEngine;
  readonly #inserts: StreamingInserts;

  constructor(engine: QueryEngine) {
    this.#engine = engine;
    this.#inserts = new StreamingInserts(engine);
  }

  async insert({ caller, params, body }: ApiRequest): Promise<object> {
    const { dataset } = this.#ref(params);
    assertMayChange(caller, { dataset }, "bigquery.tables.create", `Dataset ${this.#engine.catalog.project}:${dataset}`);
    const request = parseRequest(TableRequestSchema, body);
    const given = tableOfRequest(this.#engine.catalog.project, dataset, request);
    const { labels, expirationTime } = request;
    const { catalog, locks, database, definitions } = this.#engine;
    return locks.holding(["definitions", tableName(given.ref)], async () => {
      const entry = await database.use(async (connection) => {
        const info = given.view === undefined ? given : withViewFields(catalog, given);
        const extras = { labels, ...(expirationTime === undefined ? {} : { expirationTime }) };
        return definitions.createTable(connection, info, { ifNotExists: false, replace: false }, extras);
      });
      if (!entry) throw tableNotFound(given.ref);
      return tableResource(entry, this.#dataset(dataset), { rows: 0, bytes: 0 });
    });
  }

  list({ caller, params, query }: ApiRequest): object {
    const { project } = this.#engine.catalog;
    const { dataset: id } = this.#ref(params);
    assertMayRead(caller, { dataset: id }, "bigquery.tables.list", `Dataset ${project}:${id}`);
    const dataset = this.#dataset(id);
    const all = this.#engine.catalog.tables(id);
    const { items, next } = pageOfList(all, query);
    return { kind: "bigquery#tableList", tables: items.map((entry) => tableSummary(entry, dataset)), totalItems: all.length, ...next };
  }

  async get({ caller, params }: ApiRequest): Promise<object> {
    const ref = this.#ref(params);
    const answered = queryOfTable(this.#engine, caller, ref);
    if (answered) return resultTableResource(answered, ref);
    assertMayRead(caller, ref, "bigquery.tables.get", `Table ${tableName(ref)}`);
    const dataset = this.#dataset(ref.dataset);
    const entry = this.#engine.catalog.entry(ref);
    if (!entry) throw tableNotFound(ref);
    if (entry.info.view !== undefined) return tableResource(entry, dataset, undefined);
    await this.#engine.held.ofRows(ref);
    const size = await this.#engine.database.use((connection) => this.#engine.estimates.ofTable(connection, entry.info));
    return tableResource(entry, dataset, size);
  }

  async patch({ caller, params, body }: ApiRequest): Promise<object> {
    const ref = this.#ref(params);
    assertMayChange(caller, ref, "bigquery.tables.update", `Table ${tableName(ref)}`);
    const { labels } = parseRequest(TablePatchSchema, body);
    const { database, definitions, locks } = this.#engine;
    return locks.holding(["definitions", tableName(ref)], async () => {
      const entry = await database.use((connection) => definitions.changeLabels(connection, ref, labels));
      return tableResource(entry, this.#dataset(ref.dataset), undefined);
    });
  }

  async delete({ caller, params }: ApiRequest): Promise<undefined> {
    const ref = this.#ref(params);
    assertMayChange(caller, ref, "bigquery.tables.delete", `Table ${tableName(ref)}`);
    const { database, definitions, held, locks } = this.#engine;
    await held.ofTable(ref);
    await locks.holding(["definitions", tableName(ref)], () => database.use((connection) => definitions.dropTable(connection, ref)));
  }

  async data({ caller, params, query }: ApiRequest): Promise<object> {
    const ref = this.#ref(params);
    const answered = queryOfTable(this.#engine, caller, ref);
    if (answered) return resultTableData(answered, query);
    assertMayRead(caller, ref, "bigquery.tables.getData", `Table ${tableName(ref)}`);
    const table = this.#engine.catalog.table(ref);
    if (!table) throw tableNotFound(ref);
    if (table.view !== undefined) throw new BigQueryError("invalid", "Cannot list a table of type VIEW.");
    await this.#engine.held.ofTable(ref);
    return this.#engine.database.use((connection) => tableData(connection, table, query));
  }

  async insertAll({ caller, params, body }: ApiRequest): Promise<object> {
    const ref = this.#ref(params);
    assertMayChange(caller, ref, "bigquery.tables.updateData", `Table ${tableName(ref)}`);
    await this.#engine.held.ofTable(ref);
    const errors = await this.#inserts.insert(ref, parseRequest(InsertAllSchema, body));
    return { kind: "bigquery#tableDataInsertAllResponse", ...(errors.length > 0 ? { insertErrors: errors } : {}) };
  }

  #ref(params: ApiRequest["params"]): TableRef {
    return { project: params.project ?? "", dataset: params.dataset ?? "", table: params.table ?? "" };
  }

  #dataset(id: string): DatasetEntry {
    const { project } = this.#engine.catalog;
    const entry = this.#engine.catalog.dataset(project, id);
    if (!entry) throw datasetNotFound(project, id);
    return entry;
  }
}
