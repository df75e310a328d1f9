import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { METADATA } from "../warehouse/catalog.ts";
import type { Database } from "../warehouse/database.ts";
import type { Job } from "./job.ts";
import { type JobEnd, type JobRecord, JobRecordSchema, recordOf } from "./job-record.ts";

const JOBS = `${METADATA}.jobs`;

/**
 * The jobs as the database file keeps them. A job is written when it is accepted, with everything that it commits (in the same transaction, so
 * that no change is made twice), and when it is over. Rows are only added and the newest of a job counts: writers never meet.
 */
export class JobPersistence {
  /** Its own: a job is accepted also while every other connection is busy. */
  readonly #connection: DuckDBConnection;
  #number: number;
  #next: { readonly records: JobRecord[]; readonly written: Promise<void> } | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(connection: DuckDBConnection, number: number) {
    this.#connection = connection;
    this.#number = number;
  }

  /** Opens the table of jobs and gives what it holds, the oldest job first. Jobs that ended before `oldest` are forgotten. */
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

  /** Keeps a job as it stands, at once. */
  keep(job: Job): Promise<void> {
    return this.#writeSoon([recordOf(job)]);
  }

  /** Keeps a job as it stands, within the transaction of a connection that makes its changes last; `at` is its end if these were all. */
  keepWith(connection: DuckDBConnection, job: Job, at: number): Promise<void> {
    const isWhole = job.persisted.committed === job.persisted.statements;
    return this.#write(connection, [recordOf(job, isWhole ? { at, error: undefined, details: [] } : undefined)]);
  }

  /** Keeps how a job ends, with the statements of its script, before anybody is told. */
  keepEnd(job: Job, end: JobEnd): Promise<void> {
    return this.#writeSoon([recordOf(job, end), ...job.children.map((child) => recordOf(child))]);
  }

  /** Forgets jobs that ended before an instant, and what is out of date. */
  forget(oldest: number): Promise<void> {
    const current = `SELECT max(number) FROM ${JOBS} GROUP BY key HAVING coalesce(max_by(ended, number), $oldest) >= $oldest`;
    return this.#inTurn(async () => {
      await this.#connection.run(`DELETE FROM ${JOBS} WHERE number NOT IN (${current})`, { oldest });
    });
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#writing;
    this.#connection.closeSync();
  }

  /** What comes while something is written goes into the next write together: one wait for the disk for all. */
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
