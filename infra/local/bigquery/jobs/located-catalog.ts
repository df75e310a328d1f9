import { BigQueryError, type Catalog, type DescribedTable, type TableInfo, type TableRef } from "../model.ts";
import { datasetNotFound, type MetadataCatalog, tableName } from "../warehouse/catalog.ts";
import { DEFAULT_LOCATION } from "../warehouse/locations.ts";
import { type Answered, isResultDataset, resultTableInfo } from "./result-table.ts";

/** The results of earlier queries as one caller sees them: its own ones. */
export interface ResultTables {
  /** The hidden dataset that they are in. */
  readonly dataset: string;
  find(ref: TableRef): Answered | undefined;
}

/** BigQuery's error for a principal that may not read a table. It is the same whether or not the table exists. */
function tableDenied(ref: TableRef): BigQueryError {
  const name = tableName(ref);
  return new BigQueryError(
    "accessDenied",
    `Access Denied: Table ${name}: User does not have permission to query table ${name}, or perhaps it does not exist.`,
  );
}

/** Returns a result of the caller's own, or undefined if there is none any more. Throws `accessDenied` for those of others. */
function ownResult(results: ResultTables, ref: TableRef): Answered | undefined {
  if (ref.dataset !== results.dataset) throw tableDenied(ref);
  return results.find(ref);
}

/**
 * The catalog as one job sees it: everything that the job names is in one location, the job's own if it has one, else that of the first
 * dataset it names. Throws `notFound` for a dataset elsewhere, and `accessDenied` for a table that the job may not read, also through a view.
 */
export class LocatedCatalog implements Catalog {
  location: string | undefined;
  readonly #catalog: MetadataCatalog;
  readonly #results: ResultTables;
  readonly #mayRead: (ref: TableRef) => boolean;

  constructor(catalog: MetadataCatalog, location: string | undefined, results: ResultTables, mayRead: (ref: TableRef) => boolean) {
    this.#catalog = catalog;
    this.location = location;
    this.#results = results;
    this.#mayRead = mayRead;
  }

  dataset(project: string, dataset: string): { readonly location: string } | undefined {
    // Each location has a hidden dataset of this name.
    if (isResultDataset(dataset)) return { location: this.location ?? DEFAULT_LOCATION };
    const entry = this.#catalog.dataset(project, dataset);
    if (entry === undefined) return undefined;
    this.#settle({ project, dataset }, entry.location);
    return entry;
  }

  /** Settles the job's location. Throws `notFound` if it is another one. */
  #settle({ project, dataset }: Pick<TableRef, "project" | "dataset">, location: string): void {
    this.location ??= location;
    if (location === this.location) return;
    const { message } = datasetNotFound(project, dataset);
    throw new BigQueryError("notFound", `${message} was not found in location ${this.location}`);
  }

  table(ref: TableRef): TableInfo | undefined {
    if (isResultDataset(ref.dataset)) {
      const answered = ownResult(this.#results, ref);
      if (answered) this.#settle(ref, answered.job.reference.location);
      return answered && resultTableInfo(answered, ref);
    }
    this.dataset(ref.project, ref.dataset);
    if (!this.#mayRead(ref)) throw tableDenied(ref);
    return this.#catalog.table(ref);
  }

  described(view: TableRef): readonly DescribedTable[] {
    if (!this.#mayRead(view)) throw tableDenied(view);
    return this.#catalog.described(view);
  }
}

/**
 * The catalog that the text of a dataset's reader is checked against. Other datasets are denied. Views are opaque like tables, so that what
 * a view reads elsewhere does not count.
 */
export class ReaderCatalog implements Catalog {
  readonly #catalog: MetadataCatalog;
  readonly #dataset: string;
  readonly #results: ResultTables;

  constructor(catalog: MetadataCatalog, dataset: string, results: ResultTables) {
    this.#catalog = catalog;
    this.#dataset = dataset;
    this.#results = results;
  }

  /** Every dataset appears to exist, so that the error names the table and reveals nothing else. */
  dataset(project: string, dataset: string): { readonly location: string } {
    return this.#catalog.dataset(project, dataset) ?? { location: DEFAULT_LOCATION };
  }

  table(ref: TableRef): TableInfo | undefined {
    if (isResultDataset(ref.dataset)) {
      const answered = ownResult(this.#results, ref);
      return answered && resultTableInfo(answered, ref);
    }
    const info = ref.project === this.#catalog.project && ref.dataset === this.#dataset ? this.#catalog.table(ref) : undefined;
    if (info === undefined) throw tableDenied(ref);
    const { view: _, ...opaque } = info;
    return opaque;
  }

  /** One's own dataset describes itself. Those of others, of a region and of the project are denied: they tell of other customers. */
  described(view: TableRef): readonly DescribedTable[] {
    if (view.project !== this.#catalog.project || view.dataset !== this.#dataset) throw tableDenied(view);
    return this.#catalog.described(view);
  }
}
