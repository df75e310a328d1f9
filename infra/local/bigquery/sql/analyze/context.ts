import { BigQueryError, type Catalog, type ParameterType, type TableInfo, type TableRef } from "../../model.ts";
import { position } from "../parse/syntax-error.ts";
import { isPositional } from "../positional.ts";
import { type SqlType, typeOfParameter } from "../sql-type.ts";
import type { Column, Read } from "./value.ts";

/** The context of name resolution: the request's project, its default dataset and the tables. */
export interface Names {
  readonly project: string;
  readonly defaultDataset: { readonly project: string; readonly dataset: string } | undefined;
  readonly catalog: Catalog;
}

/** The reads and parameters collected during one statement's analysis. */
class Gathered {
  readonly parameters = new Set<string>();
  reads: Read[] = [];
  aliases = 0;
  /** Set while a view is defined: its tables are read by the view's readers. */
  definition = false;
  /** While set, columns in use are collected here instead of marked as read. A subquery's column is read when its reader is. */
  sink: Set<Column> | undefined;
  readonly marked = new WeakSet<Column>();
  /** Set while reads are discarded. */
  forgets = false;
}

/** The analysis of one statement: the text (for positions), names, parameters, and what the analysis collects. */
export class Context {
  readonly text: string;
  readonly names: Names;
  readonly #parameters: Map<string, ParameterType>;
  readonly #gathered: Gathered;
  readonly #views: readonly string[];

  constructor(
    text: string,
    names: Names,
    parameters: Map<string, ParameterType>,
    gathered = new Gathered(),
    views: readonly string[] = [],
  ) {
    this.text = text;
    this.names = names;
    this.#parameters = parameters;
    this.#gathered = gathered;
    this.#views = views;
  }

  /** Returns a context for the text of a view inside the same statement, without parameters and without a default dataset. */
  insideView(info: TableInfo): Context {
    const { project, dataset, table } = info.ref;
    const name = `${project}.${dataset}.${table}`;
    if (this.#views.includes(name) || this.#views.length > 15) throw this.fail(0, `View ${name} refers to itself or is nested too deeply`);
    const names = { project, defaultDataset: undefined, catalog: this.names.catalog };
    return new Context(info.view ?? "", names, new Map(), this.#gathered, [...this.#views, name]);
  }

  /** Returns a context for the text of a view that nothing reads yet. */
  definingView(): Context {
    this.#gathered.definition = true;
    return this;
  }

  /** Returns an error of the query with its position. */
  fail(at: number, message: string): BigQueryError {
    return new BigQueryError("invalidQuery", `${message} at ${position(this.text, at)}`, "query");
  }

  /** Returns an alias that is unique in the DuckDB statement. */
  alias(): string {
    this.#gathered.aliases += 1;
    return `t${this.#gathered.aliases}`;
  }

  /** Returns a parameter's declared name and its type. Names are case-insensitive. */
  parameter(name: string, at: number): { readonly name: string; readonly type: SqlType } {
    const positional = isPositional(name);
    // Without any parameter the mode is that of named ones, as in BigQuery.
    const [first = "@"] = this.#parameters.keys();
    if (positional !== isPositional(first)) throw this.fail(at, `${positional ? "Positional" : "Named"} parameters are not supported`);
    for (const [given, type] of this.#parameters) {
      if (given.toLowerCase() !== name.toLowerCase()) continue;
      const known = typeOfParameter(type);
      if (!known) throw new BigQueryError("invalid", `Unsupported type ${type.type} of query parameter '${given}'`, "query");
      this.#gathered.parameters.add(given);
      return { name: given, type: known };
    }
    throw this.fail(at, positional ? `Query parameter number ${name.slice(1)} is not defined` : `Query parameter '${name}' not found`);
  }

  get usedParameters(): readonly string[] {
    return [...this.#gathered.parameters];
  }

  get reads(): readonly Read[] {
    return this.#gathered.definition ? [] : this.#gathered.reads;
  }

  read(info: TableInfo): Read {
    const read: Read = { info, columns: new Set(), filters: [], texts: new Map() };
    this.#gathered.reads.push(read);
    return read;
  }

  /** Marks a column as used, and those that it is made of. Each is visited once: there are exponentially many ways through nested queries. */
  touch(column: Column): void {
    if (this.marksReads) {
      if (this.#gathered.marked.has(column)) return;
      this.#gathered.marked.add(column);
    }
    if (this.#gathered.sink) this.#gathered.sink.add(column);
    else if (column.base) column.base.read.columns.add(column.base.column);
    else for (const used of column.uses) this.touch(used);
  }

  /** Runs `work` and returns the columns that it used, without marking them as read. */
  recording<Result>(work: () => Result): { readonly result: Result; readonly uses: readonly Column[] } {
    const outer = this.#gathered.sink;
    const sink = new Set<Column>();
    this.#gathered.sink = sink;
    try {
      return { result: work(), uses: [...sink] };
    } finally {
      this.#gathered.sink = outer;
    }
  }

  /** Whether what is read and used now counts: not in what `recording` or `forgettingReads` run. */
  get marksReads(): boolean {
    return this.#gathered.sink === undefined && !this.#gathered.forgets;
  }

  /** Runs `work` and discards the reads that it adds. */
  forgettingReads<Result>(work: () => Result): Result {
    const { reads: before, forgets } = this.#gathered;
    this.#gathered.reads = [...before];
    this.#gathered.forgets = true;
    try {
      return work();
    } finally {
      this.#gathered.reads = before;
      this.#gathered.forgets = forgets;
    }
  }

  /** Runs `work` and returns the reads that it added. */
  readsOf<Result>(work: () => Result): { readonly result: Result; readonly reads: ReadonlySet<Read> } {
    const before = this.#gathered.reads.length;
    const result = work();
    return { result, reads: new Set(this.#gathered.reads.slice(before)) };
  }

  /** Returns the full name of a table written as `p.d.t`, `d.t`, or `t` with a default dataset. */
  tableRef(path: readonly string[]): TableRef {
    const { project, defaultDataset } = this.names;
    const [first, second, third] = path.slice(-3);
    if (path.length > 3 || first === undefined) throw new BigQueryError("invalid", `Invalid table name: \`${path.join(".")}\``, "query");
    if (third !== undefined && second !== undefined) return { project: first, dataset: second, table: third };
    if (second !== undefined) return { project, dataset: first, table: second };
    if (defaultDataset !== undefined) return { ...defaultDataset, table: first };
    throw new BigQueryError("invalid", `Table "${first}" must be qualified with a dataset (e.g. dataset.table).`, "query");
  }

  /** Returns the table of a name. Throws notFound as BigQuery does. */
  table(path: readonly string[]): TableInfo {
    const ref = this.tableRef(path);
    const dataset = this.names.catalog.dataset(ref.project, ref.dataset);
    const location = dataset ? ` in location ${dataset.location}` : "";
    if (!dataset) throw new BigQueryError("notFound", `Not found: Dataset ${ref.project}:${ref.dataset} was not found`, "query");
    const info = this.names.catalog.table(ref);
    if (info) return info;
    throw new BigQueryError("notFound", `Not found: Table ${ref.project}:${ref.dataset}.${ref.table} was not found${location}`, "query");
  }
}
