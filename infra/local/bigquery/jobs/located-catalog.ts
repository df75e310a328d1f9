import { BigQueryError, type Catalog, type DescribedTable, type TableInfo, type TableRef } from "../model.ts";
import { datasetNotFound, type MetadataCatalog, tableName } from "../warehouse/catalog.ts";
import { DEFAULT_LOCATION } from "../warehouse/locations.ts";
import { refuseResultTable } from "./result-table.ts";

/** BigQuery's error for a principal that may not read a table. It is the same whether or not the table exists. */
function tableDenied(ref: TableRef): BigQueryError {
  const name = tableName(ref);
  return new BigQueryError(
    "accessDenied",
    `Access Denied: Table ${name}: User does not have permission to query table ${name}, or perhaps it does not exist.`,
  );
}

/**
 * The catalog as one job sees it: everything that the job names is in one location, the job's own if it has one, else that of the first
 * dataset it names. Throws `notFound` for a dataset elsewhere, and `accessDenied` for a table that the job may not read, also through a view.
 */
export class LocatedCatalog implements Catalog {
  location: string | undefined;
  readonly #catalog: MetadataCatalog;
  readonly #mayRead: (ref: TableRef) => boolean;

  constructor(catalog: MetadataCatalog, location: string | undefined, mayRead: (ref: TableRef) => boolean) {
    this.#catalog = catalog;
    this.location = location;
    this.#mayRead = mayRead;
  }

  dataset(project: string, dataset: string): { readonly location: string } | undefined {
    refuseResultTable(dataset);
    const entry = this.#catalog.dataset(project, dataset);
    if (entry === undefined) return undefined;
    this.location ??= entry.location;
    if (entry.location === this.location) return entry;
    const { message } = datasetNotFound(project, dataset);
    throw new BigQueryError("notFound", `${message} was not found in location ${this.location}`);
  }

  table(ref: TableRef): TableInfo | undefined {
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

  constructor(catalog: MetadataCatalog, dataset: string) {
    this.#catalog = catalog;
    this.#dataset = dataset;
  }

  /** Every dataset appears to exist, so that the error names the table and reveals nothing else. */
  dataset(project: string, dataset: string): { readonly location: string } {
    refuseResultTable(dataset);
    return this.#catalog.dataset(project, dataset) ?? { location: DEFAULT_LOCATION };
  }

  table(ref: TableRef): TableInfo | undefined {
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
