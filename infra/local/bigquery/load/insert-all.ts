import type { InsertAllRequest } from "../api/table-requests.ts";
import type { QueryEngine } from "../jobs/query-engine.ts";
import { BigQueryError, type TableRef } from "../model.ts";
import { tableName, tableNotFound } from "../warehouse/catalog.ts";
import { inTransaction } from "../warehouse/database.ts";
import { RowAppender } from "./append.ts";
import { rowOfJson } from "./json-row.ts";

/** BigQuery remembers insert ids for at least a minute. */
const REMEMBERED_MS = 60_000;

interface InsertError {
  readonly index: number;
  readonly errors: readonly { readonly reason: string; readonly location: string; readonly debugInfo: string; readonly message: string }[];
}

/** `tabledata.insertAll`: rows are visible when the call returns. */
export class StreamingInserts {
  readonly #engine: QueryEngine;
  readonly #seen = new Map<string, number>();

  constructor(engine: QueryEngine) {
    this.#engine = engine;
  }

  /**
   * Adds rows. A row whose `insertId` was used within the last minute counts as added. One bad row rejects all others (as `stopped`),
   * unless `skipInvalidRows` is set. Throws `notFound`, and `invalid` for a view.
   */
  async insert(ref: TableRef, request: InsertAllRequest): Promise<readonly InsertError[]> {
    const table = this.#engine.catalog.table(ref);
    if (!table) throw tableNotFound(ref);
    if (table.view !== undefined) throw new BigQueryError("invalid", `Cannot add rows to a table of type VIEW: ${tableName(ref)}`);
    if (request.rows.length === 0) throw new BigQueryError("invalid", "No rows present in the request.");
    const parsed = request.rows.map((row) => rowOfJson(table.fields, row.json, request.ignoreUnknownValues));
    const bad = parsed.flatMap((row, index): InsertError[] =>
      "errors" in row ? [{ index, errors: row.errors.map((error) => ({ ...error, reason: "invalid", debugInfo: "" })) }] : [],
    );
    if (bad.length > 0 && !request.skipInvalidRows) return this.#withStopped(bad, request.rows.length);
    const at = this.#engine.now();
    this.#dropOld(at);
    const fresh = parsed.flatMap((row, index) => {
      const insertId = request.rows[index]?.insertId;
      if ("errors" in row || (insertId !== undefined && this.#seen.has(idKey(ref, insertId)))) return [];
      if (insertId !== undefined) this.#seen.set(idKey(ref, insertId), at);
      return [{ values: row.values, insertId }];
    });
    try {
      if (fresh.length > 0) await this.#append(ref, fresh);
    } catch (error) {
      for (const { insertId } of fresh) if (insertId !== undefined) this.#seen.delete(idKey(ref, insertId));
      throw error;
    }
    return bad;
  }

  async #append(ref: TableRef, rows: readonly { readonly values: Parameters<RowAppender["add"]>[0] }[]): Promise<void> {
    const { streamed, now } = this.#engine;
    await streamed.prepare(ref);
    await this.#engine.database.use((connection) =>
      inTransaction(connection, async () => {
        const appender = await RowAppender.open(connection, this.#engine.database.threads, ref);
        for (const { values } of rows) await appender.add(values);
        await appender.close();
        await streamed.add(
          connection,
          ref,
          rows.map(({ values }) => values),
          now(),
        );
        if (this.#engine.persistence) await this.#engine.catalog.saveTouch(connection, ref, now());
      }),
    );
    this.#engine.changed(ref);
  }

  #withStopped(bad: readonly InsertError[], count: number): InsertError[] {
    const known = new Map(bad.map((error) => [error.index, error]));
    const stopped = { reason: "stopped", location: "", debugInfo: "", message: "" };
    return Array.from({ length: count }, (_, index) => known.get(index) ?? { index, errors: [stopped] });
  }

  #dropOld(now: number): void {
    for (const [key, at] of this.#seen) {
      if (at + REMEMBERED_MS > now) return;
      this.#seen.delete(key);
    }
  }
}

function idKey(ref: TableRef, insertId: string): string {
  return `${ref.dataset}.${ref.table} ${insertId}`;
}
