import type { Column } from "../../shared/google/columns.ts";
import type { Faults } from "./import-error.ts";

/** A file that can be read with SQL. */
export interface Source {
  readonly columns: readonly SourceColumn[];
  /** The FROM expression; its rows are in file order. */
  readonly relation: string;
  /** The FROM expression for reading on all processors. */
  readonly parallelRelation: string;
  readonly rows: number;
  /** SHA-256 of the bytes of the file, of all its parts and what folders say of them, hexadecimal. */
  readonly checksum: string;
  /** Returns where row N (from 1) is, for people: `line 3`. */
  readonly placeOf: (row: number) => string;
  /** Returns the position in the file of row N. */
  readonly positionOf: (row: number) => number;
  /** The lines that cannot be read. They are none of the rows. */
  readonly malformed: Faults;
}

/** How the values of a column are read. */
interface Reading {
  /** A DuckDB expression for its values as text. */
  readonly text: string;
  /** Why its values cannot be read; absent if they can. */
  readonly unreadable?: string;
}

/** A column by its name in the file. */
export interface SourceColumn extends Reading {
  readonly name: string;
  /** How its values are read into columns of these types, if in another way. */
  readonly into?: Readonly<Partial<Record<Column["type"], Reading>>>;
}
