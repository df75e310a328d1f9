import type { DuckDBConnection } from "@duckdb/node-api";
import type { Field, Partitioning, TableInfo, TableRead, TableRef } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import type { MetadataCatalog } from "./catalog.ts";

const MEBIBYTE = 1024 * 1024;
const SAMPLE_ROWS = 1000;
/** Widths are remeasured when a table has grown or shrunk by more than this share. */
const WIDTHS_STALE = 0.1;

interface TableStatistics {
  readonly rows: number;
  readonly widths: ReadonlyMap<string, number>;
  readonly widthsAtRows: number;
}

/** Prepares a statement and binds the values of its `$name` parameters. */
export type Bind = (connection: DuckDBConnection, sql: string) => ReturnType<DuckDBConnection["prepare"]>;

/** The rows and bytes of one table that BigQuery would read. */
export interface ReadEstimate {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Estimates the bytes that reads process: rows in the matching partitions, times the width of the columns read. Widths are BigQuery's
 * (INT64, FLOAT64, TIMESTAMP, DATE, DATETIME, TIME 8, BOOL 1, NUMERIC 16, STRING and BYTES 2 + length, arrays and structs the sum of their
 * parts). Variable widths are averages over the first rows. Counts and widths are cached until the table changes.
 */
export class ByteEstimates {
  readonly #catalog: MetadataCatalog;
  readonly #tables = new Map<string, TableStatistics>();
  readonly #refreshing = new Map<string, Promise<TableStatistics>>();

  constructor(catalog: MetadataCatalog) {
    this.#catalog = catalog;
  }

  /** Returns one estimate per read. Uses `connection` outside of any transaction. `bind` prepares a statement with the job's parameters. */
  async of(connection: DuckDBConnection, reads: readonly TableRead[], bind: Bind): Promise<ReadEstimate[]> {
    const estimates: ReadEstimate[] = [];
    for (const read of reads) {
      const table = this.#catalog.table(read.ref);
      if (!table || table.view !== undefined) continue;
      const { rows, widths } = await this.#statistics(connection, table);
      const width = read.columns.reduce((sum, column) => sum + (widths.get(column) ?? 0), 0);
      const matching =
        table.partitioning === undefined || read.partitionFilter === undefined
          ? rows
          : await matchingRows(connection, table.ref, read.partitionFilter, bind);
      estimates.push({ rows: matching, bytes: Math.round(matching * width) });
    }
    return estimates;
  }

  /** Returns the rows and bytes of a whole table. */
  async ofTable(connection: DuckDBConnection, table: TableInfo): Promise<ReadEstimate> {
    const { rows, widths } = await this.#statistics(connection, table);
    return { rows, bytes: Math.round(rows * [...widths.values()].reduce((sum, width) => sum + width, 0)) };
  }

  /** Invalidates the cached estimates of a table. Call it after every change of its rows or its definition. */
  forget(ref: TableRef, definitionToo = false): void {
    const key = keyOf(ref);
    const known = this.#tables.get(key);
    if (definitionToo || !known) this.#tables.delete(key);
    else this.#tables.set(key, { ...known, rows: -1 });
  }

  async #statistics(connection: DuckDBConnection, table: TableInfo): Promise<TableStatistics> {
    const key = keyOf(table.ref);
    const under = this.#refreshing.get(key);
    if (under) return under;
    // The process's own connections may also have added rows, so the (cheap) count runs each time.
    const rows = await number(connection, `SELECT count(*) FROM ${sourceOf(table.ref)}`);
    const known = this.#tables.get(key);
    if (known?.rows === rows) return known;
    const refresh = this.#refreshing.get(key) ?? this.#measure(connection, table, rows, known);
    this.#refreshing.set(key, refresh);
    try {
      return await refresh;
    } finally {
      this.#refreshing.delete(key);
    }
  }

  async #measure(
    connection: DuckDBConnection,
    table: TableInfo,
    rows: number,
    known: TableStatistics | undefined,
  ): Promise<TableStatistics> {
    if (table.partitioning) await countPartitions(connection, table.ref, table.partitioning);
    const fresh = known !== undefined && Math.abs(rows - known.widthsAtRows) <= known.widthsAtRows * WIDTHS_STALE;
    const widths = fresh ? known.widths : await measureWidths(connection, table);
    const statistics = { rows, widths, widthsAtRows: fresh ? known.widthsAtRows : rows };
    this.#tables.set(keyOf(table.ref), statistics);
    return statistics;
  }
}

/** Returns the billed bytes: each table read counts in whole mebibytes, at least 10. */
export function billedBytes(byTable: ReadonlyMap<string, number>): number {
  let billed = 0;
  for (const bytes of byTable.values()) billed += Math.max(10, Math.ceil(bytes / MEBIBYTE)) * MEBIBYTE;
  return billed;
}

function keyOf(ref: TableRef): string {
  return `${ref.dataset}.${ref.table}`;
}

function sourceOf(ref: TableRef): string {
  return `${quoteName(ref.dataset)}.${quoteName(ref.table)}`;
}

function countsOf(ref: TableRef): string {
  return `statistics.main.${quoteName(keyOf(ref))}`;
}

/** Counts the rows of each value of the partition column and of each partition. */
async function countPartitions(connection: DuckDBConnection, ref: TableRef, { column, unit }: Partitioning): Promise<void> {
  const name = quoteName(column);
  await connection.run(
    `CREATE OR REPLACE TABLE ${countsOf(ref)} AS SELECT date_trunc('${unit}', ${name}) AS "$partition", ${name}, count(*) AS "$rows" FROM ${sourceOf(ref)} GROUP BY ALL`,
  );
}

async function matchingRows(connection: DuckDBConnection, ref: TableRef, filter: string, bind: Bind): Promise<number> {
  const counts = countsOf(ref);
  const prepared = await bind(
    connection,
    `SELECT coalesce(sum("$rows"), 0)::BIGINT FROM ${counts} WHERE "$partition" IN (SELECT "$partition" FROM ${counts} WHERE ${filter})`,
  );
  try {
    const reader = await prepared.runAndReadAll();
    return Number(reader.getRows()[0]?.[0] ?? 0);
  } finally {
    prepared.destroySync();
  }
}

async function measureWidths(connection: DuckDBConnection, { ref, fields }: TableInfo): Promise<Map<string, number>> {
  const varying = fields.filter((field) => fixedWidth(field) === undefined);
  const widths = new Map(fields.map((field) => [field.name, fixedWidth(field) ?? 0]));
  if (varying.length === 0) return widths;
  const averages = varying.map((field) => `coalesce(avg(${widthExpression(field, quoteName(field.name))}), 0)`).join(", ");
  const reader = await connection.runAndReadAll(`SELECT ${averages} FROM (SELECT * FROM ${sourceOf(ref)} LIMIT ${SAMPLE_ROWS})`);
  for (const [index, field] of varying.entries()) widths.set(field.name, Number(reader.getRows()[0]?.[index] ?? 0));
  return widths;
}

function fixedWidth(field: Field): number | undefined {
  if (field.mode === "REPEATED") return undefined;
  switch (field.type) {
    case "BOOLEAN":
      return 1;
    case "NUMERIC":
      return 16;
    case "STRING":
    case "BYTES":
    case "JSON":
    case "GEOGRAPHY":
    case "RECORD":
      return undefined;
    default:
      return 8;
  }
}

function widthExpression(field: Field, value: string, depth = 0): string {
  if (field.mode === "REPEATED") {
    const item = `item${depth}`;
    const inner = widthExpression({ ...field, mode: "NULLABLE" }, item, depth + 1);
    return `coalesce(list_sum(list_transform(${value}, lambda ${item}: ${inner})), 0)`;
  }
  const fixed = fixedWidth(field);
  if (fixed !== undefined) return `CASE WHEN ${value} IS NULL THEN 0 ELSE ${fixed} END`;
  if (field.type === "RECORD") {
    const parts = (field.fields ?? []).map((child) => widthExpression(child, `${value}.${quoteName(child.name)}`, depth));
    return parts.length === 0 ? "0" : `(${parts.join(" + ")})`;
  }
  // A GEOGRAPHY is 16 bytes plus 24 per vertex. Its text has a comma between two vertices.
  if (field.type === "GEOGRAPHY") return `coalesce(16 + 24 * (1 + strlen(${value}) - strlen(replace(${value}, ',', ''))), 0)`;
  return `coalesce(2 + ${field.type === "BYTES" ? `octet_length(${value})` : `strlen(${value})`}, 0)`;
}

async function number(connection: DuckDBConnection, sql: string): Promise<number> {
  const reader = await connection.runAndReadAll(sql);
  return Number(reader.getRows()[0]?.[0] ?? 0);
}
