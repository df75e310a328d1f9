import { reachesTable } from "../../access.ts";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { type DatasetEntry, datasetNotFound } from "../warehouse/catalog.ts";
import { canonicalLocation, DEFAULT_LOCATION } from "../warehouse/locations.ts";
import { datasetResource } from "../warehouse/table-resource.ts";
import { assertMayManage, assertMayRead } from "./caller.ts";
import type { ApiRequest, Route } from "./http.ts";
import { booleanOf } from "./paging.ts";
import { parseRequest } from "./parse.ts";
import { DatasetPatchSchema, DatasetRequestSchema } from "./table-requests.ts";

/** The routes under `datasets`, except those of tables. */
export function datasetRoutes(engine: QueryEngine): Route[] {
  const routes = new DatasetRoutes(engine);
  const datasets = "/projects/:project/datasets";
  return [
    { method: "POST", path: datasets, handler: (request) => routes.insert(request) },
    { method: "GET", path: datasets, handler: (request) => routes.list(request) },
    { method: "GET", path: `${datasets}/:dataset`, handler: (request) => routes.get(request) },
    { method: "PATCH", path: `${datasets}/:dataset`, handler: (request) => routes.patch(request) },
    { method: "DELETE", path: `${datasets}/:dataset`, handler: (request) => routes.delete(request) },
    { method: "GET", path: `${datasets}/:dataset/routines`, handler: (request) => routes.routines(request) },
  ];
}

class DatasetRoutes {
  readonly #engine: QueryEngine;
  readonly #project: string;

  constructor(engine: QueryEngine) {
    this.#engine = engine;
    this.#project = engine.catalog.project;
  }

  async insert({ caller, body }: ApiRequest): Promise<object> {
    assertMayManage(caller, "bigquery.datasets.create", `Project ${this.#project}`);
    const { datasetReference, location, description, labels, defaultTableExpirationMs } = parseRequest(DatasetRequestSchema, body);
    const place = canonicalLocation(location ?? DEFAULT_LOCATION);
    const dataset = { id: datasetReference.datasetId, location: place, description, labels, defaultTableExpirationMs };
    return this.#engine.locks.holding(["definitions"], async () => {
      const entry = await this.#engine.database.use((connection) => this.#engine.definitions.createDataset(connection, dataset));
      return datasetResource(this.#project, entry);
    });
  }

  /** A list contains only what the caller reaches: a reader's its own dataset. */
  list({ caller }: ApiRequest): object {
    const seen = this.#engine.catalog
      .datasets()
      .filter(({ id }) => reachesTable(caller.role, "bigquery.datasets.get", id) || id === caller.onlyDataset);
    return { kind: "bigquery#datasetList", datasets: seen.map((entry) => datasetResource(this.#project, entry)) };
  }

  get({ caller, params }: ApiRequest): object {
    const id = params.dataset ?? "";
    assertMayRead(caller, { dataset: id }, "bigquery.datasets.get", `Dataset ${this.#project}:${id}`);
    return datasetResource(this.#project, this.#find(id));
  }

  /** There are no routines: no statement here makes one. */
  routines({ caller, params }: ApiRequest): object {
    const id = params.dataset ?? "";
    assertMayRead(caller, { dataset: id }, "bigquery.routines.list", `Dataset ${this.#project}:${id}`);
    this.#find(id);
    return { routines: [] };
  }

  async patch({ caller, params, body }: ApiRequest): Promise<object> {
    const id = params.dataset ?? "";
    assertMayManage(caller, "bigquery.datasets.update", `Dataset ${this.#project}:${id}`, id);
    const patch = parseRequest(DatasetPatchSchema, body);
    return this.#engine.locks.holding(["definitions"], async () => {
      const known = this.#find(id);
      const labels = { ...known.labels, ...patch.labels };
      const entry: DatasetEntry = {
        ...known,
        ...(patch.description === undefined ? {} : { description: patch.description ?? undefined }),
        ...(patch.defaultTableExpirationMs === undefined ? {} : { defaultTableExpirationMs: patch.defaultTableExpirationMs ?? undefined }),
        labels: Object.fromEntries(Object.entries(labels).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
        lastModifiedTime: this.#engine.now(),
      };
      await this.#engine.database.use((connection) => this.#engine.catalog.saveDataset(connection, entry));
      this.#engine.catalog.showDataset(entry);
      return datasetResource(this.#project, entry);
    });
  }

  async delete({ caller, params, query }: ApiRequest): Promise<undefined> {
    const id = params.dataset ?? "";
    assertMayManage(caller, "bigquery.datasets.delete", `Dataset ${this.#project}:${id}`, id);
    const deleteContents = booleanOf(query, "deleteContents");
    const { database, definitions, locks } = this.#engine;
    await locks.holding(["definitions"], () => database.use((connection) => definitions.deleteDataset(connection, id, deleteContents)));
  }

  #find(id: string): DatasetEntry {
    const entry = this.#engine.catalog.dataset(this.#project, id);
    if (!entry) throw datasetNotFound(this.#project, id);
    return entry;
  }
}
