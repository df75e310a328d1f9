/** A file that is well formed, ready to be read with SQL. */
export interface Source {
  readonly columns: readonly SourceColumn[];
  /** What stands behind FROM; its rows come in the order of the file. */
  readonly relation: string;
  readonly rows: number;
  /** SHA-256 of the bytes of the file, hexadecimal. */
  readonly checksum: string;
  /** Where row N stands, from 1: `line 17` or `row 17`. */
  readonly where: (row: number) => string;
}

/** A column by its name in the file. */
export interface SourceColumn {
  readonly name: string;
  /** A DuckDB expression of its values as text. */
  readonly text: string;
  /** Set: why its values cannot be read. */
  readonly unreadable?: string;
}
