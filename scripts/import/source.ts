/** A well-formed file that can be read with SQL. */
export interface Source {
  readonly columns: readonly SourceColumn[];
  /** The FROM expression; its rows are in file order. */
  readonly relation: string;
  readonly rows: number;
  /** SHA-256 of the bytes of the file, hexadecimal. */
  readonly checksum: string;
  /** Returns the position of row N (from 1): `line 17` or `row 17`. */
  readonly where: (row: number) => string;
}

/** A column by its name in the file. */
export interface SourceColumn {
  readonly name: string;
  /** A DuckDB expression for its values as text. */
  readonly text: string;
  /** Why its values cannot be read; absent if they can. */
  readonly unreadable?: string;
}
