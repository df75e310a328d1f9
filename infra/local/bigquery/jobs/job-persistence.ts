import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { METADATA } from "../warehouse/catalog.ts";
import type { Database } from "../warehouse/database.ts";
import type { Job } from "./job.ts";
import { type JobEnd, type JobRecord, JobRecordSchema, recordOf } from "./job-record.ts";

const JOBS = `${METADATA}.jobs`;

/**
 * Persists jobs in the database file. A job is written when it is accepted, with everything that it commits (in the same transaction, so
 * that no change is applied twice), and when it ends. Rows are only inserted, and the newest row of a job counts: writers never conflict.
 */
export class JobPersistence {
  /** A dedicated connection: jobs are accepted while every other connection is busy. */
  readonly #connection: DuckDBConnection;
  #number: number;
  #next: { readonly records: JobRecord[]; readonly written: Promise<void> } | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(connection: DuckDBConnection, number: number) {
    this.#connection = connection;
    this.#number = number;
  }

  /** Opens the jobs table and returns its records, oldest job first. Jobs that ended before `oldest` are deleted. */
  static async open(database: Database, oldest: number): Promise<{ persistence: JobPersistence; records: readonly JobRecord[] }> {
    const connection = await database.connect();
    await connection.run(`CREATE TABLE IF NOT EXISTS ${JOBS} (key VARCHAR, number BIGINT, ended DOUBLE, entry VARCHAR)`);
    const last = await connection.runAndReadAll(`SELECT max(number) FROM ${JOBS}`);
    const persistence = new JobPersistence(connection, Number(last.getRows()[0]?.[0] ?? 0));
    await persistence.forget(oldest);
    const rows = await connection.runAndReadAll(`SELECT entry FROM ${JOBS} ORDER BY number`);
    const records = rows.getRows().map(([entry]) => v.parse(JobRecordSchema, JSON.parse(String(entry))));
    return { persistence, records: records.sort((a, b) => a.creationTime - b.creationTime) };
  }

  /** Writes the current state of a job at once. */
  keep(job: Job): Promise<void> {
    return this.#writeSoon([recordOf(job)]);
  }

  /**
   * Writes the current state of a job within the transaction that commits its changes. `at` is its end time if these were all its changes.
   */
  keepWith(connection: DuckDBConnection, job: Job, at: number): Promise<void> {
    const isWhole = job.persisted.committed === job.persisted.statements;
    return this.#write(connection, [recordOf(job, isWhole ? { at, error: undefined, details: [] } : undefined)]);
  }

  /** Writes the end of a job and the statements of its script, before the end is published. */
  keepEnd(job: Job, end: JobEnd): Promise<void> {
    return this.#writeSoon([recordOf(job, end), ...job.children.map((child) => recordOf(child))]);
  }

  /** Deletes jobs that ended before an instant, and superseded rows. */
  forget(oldest: number): Promise<void> {
    const current = `SELECT max(number) FROM ${JOBS} GROUP BY key HAVING coalesce(max_by(ended, number), $oldest) >= $oldest`;
    return this.#inTurn(async () => {
      await this.#connection.run(`DELETE FROM ${JOBS} WHERE number NOT IN (${current})`, { oldest });
    });
  }

  /** Waits for pending writes and closes the connection. */
  async close(): Promise<void> {
    await this.#writing;
    this.#connection.closeSync();
  }

  /** Batches records that arrive during a write into the next one, so that they share one disk flush. */
  #writeSoon(records: readonly JobRecord[]): Promise<void> {
    const all: JobRecord[] = this.#next?.records ?? [];
    all.push(...records);
    this.#next ??= {
      records: all,
      written: this.#inTurn(() => {
        this.#next = undefined;
        return this.#write(this.#connection, all);
      }),
    };
    return this.#next.written;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  async #write(connection: DuckDBConnection, records: readonly JobRecord[]): Promise<void> {
    const values = records.map((_, index) => `($key${index}, $number${index}, $ended${index}, $entry${index})`);
    const parameters = records.flatMap((record, index): [string, string | number | null][] => {
      this.#number += 1;
      return [
        [`key${index}`, `${record.reference.location}.${record.reference.id}`],
        [`number${index}`, this.#number],
        [`ended${index}`, record.endTime ?? null],
        [`entry${index}`, JSON.stringify(record)],
      ];
    });
    await connection.run(`INSERT INTO ${JOBS} VALUES ${values.join(", ")}`, Object.fromEntries(parameters));
  }
}
