/** BigQuery's legacy type names, as its REST API writes them in a schema. */
export type FieldType =
  | "STRING"
  | "BYTES"
  | "INTEGER"
  | "FLOAT"
  | "NUMERIC"
  | "BOOLEAN"
  | "TIMESTAMP"
  | "DATE"
  | "TIME"
  | "DATETIME"
  | "INTERVAL"
  | "GEOGRAPHY"
  | "JSON"
  | "RECORD";

/** One column, in the shape of the REST API's TableFieldSchema. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly mode: "NULLABLE" | "REQUIRED" | "REPEATED";
  readonly description?: string;
  readonly fields?: readonly Field[];
}

export interface TableRef {
  readonly project: string;
  readonly dataset: string;
  readonly table: string;
}

export interface Partitioning {
  readonly column: string;
  readonly unit: "HOUR" | "DAY" | "MONTH" | "YEAR";
  readonly expirationMs?: number;
}

/** The metadata of a table or view that the translator needs. A view's `view` is its GoogleSQL text. */
export interface TableInfo {
  readonly ref: TableRef;
  readonly fields: readonly Field[];
  readonly partitioning?: Partitioning;
  readonly requirePartitionFilter: boolean;
  readonly clustering: readonly string[];
  readonly description?: string;
  readonly view?: string;
  /** Where the rows are if they are in no table of the database. */
  readonly source?: RowSource;
}

/** Rows that are in no table of the database. */
export interface RowSource {
  /** A subquery in DuckDB's SQL. */
  readonly sql: string;
  readonly rows: number;
}

/** Read access to the metadata. The translator's caller resolves names. */
export interface Catalog {
  dataset(project: string, dataset: string): { readonly location: string } | undefined;
  table(ref: TableRef): TableInfo | undefined;
  /**
   * Returns the tables and views that a view of a dataset's INFORMATION_SCHEMA shows, by name.
   * @param view its full name; its table is, for example, `INFORMATION_SCHEMA.TABLES`
   */
  described(view: TableRef): readonly DescribedTable[];
}

/** A table or view as INFORMATION_SCHEMA shows it. The time is in epoch milliseconds. */
export interface DescribedTable {
  readonly info: TableInfo;
  readonly creationTime: number;
}

/** One read of a base table by a statement: the unit that BigQuery would bill. */
export interface TableRead {
  readonly ref: TableRef;
  /** The columns that the statement reads. */
  readonly columns: readonly string[];
  /**
   * A DuckDB boolean expression over the partition column, of constants and parameters only: it selects the partitions that BigQuery would
   * read. Undefined if no filter prunes: all partitions are read.
   */
  readonly partitionFilter?: string;
  /** The columns that every read of the table by the statement compares to texts, with these: other rows do not matter to it. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
  /** The table, where the catalog does not have it. */
  readonly unlisted?: TableInfo;
}

/** A statement ready for DuckDB. `sql` uses `$name` for parameters. Tables are named "dataset"."table". */
export type Statement =
  | {
      readonly kind: "select";
      readonly sql: string;
      /** The result's columns with their BigQuery types. DuckDB's types are not enough: it stores GEOGRAPHY as text. */
      readonly schema: readonly Field[];
      readonly reads: readonly TableRead[];
      readonly parameters: readonly string[];
    }
  | {
      readonly kind: "dml";
      readonly verb: "INSERT" | "UPDATE" | "DELETE" | "MERGE";
      readonly target: TableRef;
      readonly sql: string;
      /** A query of those rows of the streaming buffer that the statement would update or delete. Undefined for INSERT. */
      readonly affected?: string;
      /** A query that finds a row unless the statement changes nothing. Undefined if that is not known before. */
      readonly source?: string;
      readonly reads: readonly TableRead[];
      readonly parameters: readonly string[];
    }
  | {
      readonly kind: "export";
      readonly options: ExportOptions;
      readonly sql: string;
      readonly schema: readonly Field[];
      readonly reads: readonly TableRead[];
      readonly parameters: readonly string[];
    }
  | {
      readonly kind: "create-table";
      readonly table: TableInfo;
      readonly ifNotExists: boolean;
      readonly replace: boolean;
      readonly as?: SelectStatement;
    }
  | {
      readonly kind: "create-view";
      readonly table: TableInfo;
      readonly replace: boolean;
      readonly ifNotExists: boolean;
    }
  | {
      readonly kind: "create-schema";
      readonly dataset: string;
      readonly location?: string;
      readonly description?: string;
      /** OPTIONS (default_table_expiration_days), in milliseconds. */
      readonly defaultTableExpirationMs?: number;
      readonly ifNotExists: boolean;
    }
  | {
      readonly kind: "add-columns";
      readonly ref: TableRef;
      readonly columns: readonly NewColumn[];
      /** The table with the columns. */
      readonly table: TableInfo;
    }
  | {
      readonly kind: "drop";
      readonly what: "TABLE" | "VIEW";
      readonly ref: TableRef;
      readonly ifExists: boolean;
    }
  | {
      readonly kind: "transaction";
      readonly verb: "BEGIN" | "COMMIT" | "ROLLBACK";
    };

/** A column that ALTER TABLE adds. */
export interface NewColumn {
  readonly field: Field;
  readonly ifNotExists: boolean;
}

export type SelectStatement = Extract<Statement, { kind: "select" }>;

export interface ExportOptions {
  readonly uri: string;
  readonly format: "CSV" | "JSON" | "PARQUET";
  readonly compression: "NONE" | "GZIP" | "SNAPPY" | "ZSTD";
  readonly header: boolean;
  readonly overwrite: boolean;
  readonly fieldDelimiter: string;
}

/** A query parameter parsed from its REST shape. Arrays and structs nest. Values are JSON-safe: numbers are strings, as on the wire. */
export interface ParameterType {
  readonly type: string;
  readonly arrayType?: ParameterType;
  readonly structTypes?: readonly {
    readonly name: string;
    readonly type: ParameterType;
  }[];
}

/**
 * An error in BigQuery's own shape. `reason` decides the HTTP status (invalidQuery 400, notFound 404, accessDenied 403, duplicate 409, …).
 */
export class BigQueryError extends Error {
  readonly reason: string;
  readonly location: string | undefined;

  constructor(reason: string, message: string, location?: string) {
    super(message);
    this.reason = reason;
    this.location = location;
  }
}
