import type { DuckDBConnection } from "@duckdb/node-api";
import type { Field, TableInfo, TableRead, TableRef } from "../model.ts";
import type { ParameterValues } from "../sql/parameter-values.ts";
import { quoteName } from "../sql/sql-type.ts";
import type { BackgroundThreads } from "./background-threads.ts";
import { type MetadataCatalog, sourceName } from "./catalog.ts";
import type { DirectConnections } from "./direct-connections.ts";
import { countPartitions, matchingRows } from "./partition-counts.ts";

const MEBIBYTE = 1024 * 1024;
const SAMPLE_ROWS = 1000;
/** Widths are remeasured when a table has grown or shrunk by more than this share. */
const WIDTHS_STALE = 0.1;

interface TableStatistics {
  readonly rows: number;
  readonly widths: ReadonlyMap<string, number>;
  readonly widthsAtRows: number;
  /** The rows of the partitions that match a filter. */
  readonly matching: Map<string, number>;
  /** Whether a job has changed the table since. */
  readonly isOutdated: boolean;
  /** The state of the direct connections when this began to be measured. Undefined: one was open. */
  readonly unchangedSince: number | undefined;
}

type Counted = Pick<TableStatistics, "rows" | "widths" | "widthsAtRows" | "matching">;

/** A measurement under way. */
interface Measurement {
  readonly over: Promise<unknown>;
  /** Whether a job has changed the table since it began. */
  isOutdated: boolean;
}

/** The rows and bytes of one table that BigQuery would read. */
export interface ReadEstimate {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Estimates the bytes that reads process: rows in the matching partitions, times the width of the columns read. Widths are BigQuery's
 * (INT64, FLOAT64, TIMESTAMP, DATE, DATETIME, TIME 8, BOOL 1, NUMERIC 16, STRING and BYTES 2 + length, arrays and structs the sum of their
 * parts). Variable widths are averages over the first rows. Counts and widths are kept until the table may have changed: a job says so with
 * `forget`, and a direct connection may change any table as long as it is open. Large tables are counted with the background threads.
 */
export class ByteEstimates {
  readonly #catalog: MetadataCatalog;
  readonly #direct: DirectConnections;
  readonly #threads: BackgroundThreads;
  readonly #tables = new Map<string, TableStatistics>();
  readonly #measuring = new Map<string, Measurement>();

  constructor(catalog: MetadataCatalog, direct: DirectConnections, threads: BackgroundThreads) {
    this.#catalog = catalog;
    this.#direct = direct;
    this.#threads = threads;
  }

  /** Returns one estimate per read. Uses `connection` outside of any transaction. */
  async of(connection: DuckDBConnection, reads: readonly TableRead[], values: ParameterValues): Promise<ReadEstimate[]> {
    const estimates: ReadEstimate[] = [];
    for (const read of reads) {
      if (read.unlisted?.source) {
        const { rows } = read.unlisted.source;
        estimates.push({ rows, bytes: Math.round(rows * widthOf(await measureWidths(connection, read.unlisted), read)) });
        continue;
      }
      const table = this.#catalog.table(read.ref);
      if (!table || table.view !== undefined) continue;
      const { rows, widths, matching: known } = await this.#statistics(connection, table);
      const width = widthOf(widths, read);
      const matching =
        table.partitioning === undefined || read.partitionFilter === undefined
          ? rows
          : await matchingRows(connection, table, read.partitionFilter, values, known);
      estimates.push({ rows: matching, bytes: Math.round(matching * width) });
    }
    return estimates;
  }

  /** Returns the rows and bytes of a whole table. */
  async ofTable(connection: DuckDBConnection, table: TableInfo): Promise<ReadEstimate> {
    const { rows, widths } = await this.#statistics(connection, table);
    return { rows, bytes: Math.round(rows * [...widths.values()].reduce((sum, width) => sum + width, 0)) };
  }

  /** Invalidates the estimates of a table. Call it after every change of its rows or its definition, before the job that changed it ends. */
  forget(ref: TableRef, definitionToo = false): void {
    const key = keyOf(ref);
    const known = this.#tables.get(key);
    const underWay = this.#measuring.get(key);
    // What is being counted may be from before the change.
    if (underWay) underWay.isOutdated = true;
    if (definitionToo || !known) this.#tables.delete(key);
    else this.#tables.set(key, { ...known, isOutdated: true });
  }

  async #statistics(connection: DuckDBConnection, table: TableInfo): Promise<TableStatistics> {
    const key = keyOf(table.ref);
    for (;;) {
      const known = this.#tables.get(key);
      const { unchangedSince } = this.#direct;
      if (known && !known.isOutdated && unchangedSince !== undefined && known.unchangedSince === unchangedSince) return known;
      const underWay = this.#measuring.get(key);
      if (!underWay) return this.#measure(connection, table);
      // It may have begun before the last change, so its result is not taken as it is.
      await underWay.over;
    }
  }

  async #measure(connection: DuckDBConnection, table: TableInfo): Promise<TableStatistics> {
    const key = keyOf(table.ref);
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const measurement: Measurement = { over, isOutdated: false };
    this.#measuring.set(key, measurement);
    try {
      const { unchangedSince } = this.#direct;
      const known = this.#tables.get(key);
      const counted = await this.#count(connection, table, known);
      const measured = { ...counted, unchangedSince, isOutdated: measurement.isOutdated };
      // Widths from before a change of the definition are of other columns.
      if (!measurement.isOutdated || this.#tables.has(key)) this.#tables.set(key, measured);
      return measured;
    } finally {
      this.#measuring.delete(key);
      end();
    }
  }

  /** Counts a table's rows, and measures what is not known or out of date. */
  async #count(connection: DuckDBConnection, table: TableInfo, known: TableStatistics | undefined): Promise<Counted> {
    const rows = await number(connection, `SELECT count(*) FROM ${sourceName(table.ref)}`);
    // Direct connections only add rows and remove them, so that their number says whether there was a change.
    if (known && !known.isOutdated && known.rows === rows) return known;
    const { partitioning } = table;
    if (partitioning) await this.#threads.forRows(rows, () => countPartitions(connection, table.ref, partitioning));
    const matching = new Map<string, number>();
    const isFresh = known !== undefined && Math.abs(rows - known.widthsAtRows) <= known.widthsAtRows * WIDTHS_STALE;
    return isFresh
      ? { rows, widths: known.widths, widthsAtRows: known.widthsAtRows, matching }
      : { rows, widths: await measureWidths(connection, table), widthsAtRows: rows, matching };
  }
}

function widthOf(widths: TableStatistics["widths"], { columns }: TableRead): number {
  return columns.reduce((sum, column) => sum + (widths.get(column) ?? 0), 0);
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

async function measureWidths(connection: DuckDBConnection, { ref, fields, source }: TableInfo): Promise<Map<string, number>> {
  const varying = fields.filter((field) => fixedWidth(field) === undefined);
  const widths = new Map(fields.map((field) => [field.name, fixedWidth(field) ?? 0]));
  if (varying.length === 0) return widths;
  const averages = varying.map((field) => `coalesce(avg(${widthExpression(field, quoteName(field.name))}), 0)`).join(", ");
  const reader = await connection.runAndReadAll(
    `SELECT ${averages} FROM (SELECT * FROM ${source?.sql ?? sourceName(ref)} LIMIT ${SAMPLE_ROWS})`,
  );
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
