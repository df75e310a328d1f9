import type { DuckDBConnection } from "@duckdb/node-api";
import type { BigQueryServer } from "./bigquery/server.ts";
import type { Holding } from "./bigquery/warehouse/held-tables.ts";
import type { CloudOptions } from "./messages.ts";
import { beginSample, type MakeRest } from "./sample/generate.ts";
import { FACTS, type Fact } from "./sample/ledger.ts";
import { beginTopUp } from "./sample/top-up.ts";

/** The tables of days, which the sample fills last, and what says which of their days there are. */
export const SAMPLE_HOLDING: Holding = {
  datasets: ["intake", "mobility"],
  tables: FACTS,
  ledgers: ["batches", "batch_geo_types"],
  by: "table_name",
};

/**
 * The sample data of a warehouse that holds `SAMPLE_HOLDING`. Places and ticks come first. The days follow on request, table by table; who reads
 * a table before that waits for it.
 */
export class SampleFilling {
  readonly #bigquery: BigQueryServer;
  readonly #connection: DuckDBConnection;
  readonly #stopping = new AbortController();
  /** Resolves when places and ticks are there. */
  readonly placed: Promise<MakeRest>;
  #filled: Promise<void> | undefined;

  private constructor(bigquery: BigQueryServer, connection: DuckDBConnection, { seed, scale, days, tickSeconds, dataDirectory }: CloudOptions) {
    this.#bigquery = bigquery;
    this.#connection = connection;
    const { signal } = this.#stopping;
    const onFilled = (tables: readonly Fact[]): void => bigquery.release(tables);
    const sample = { seed, scale, days, tickSeconds, now: new Date(), signal, onFilled };
    this.placed = dataDirectory === undefined ? beginSample(connection, sample) : beginTopUp(connection, sample);
    this.placed.catch(() => undefined);
  }

  /** Begins with places and ticks. All tables must exist. */
  static async begin(bigquery: BigQueryServer, options: CloudOptions): Promise<SampleFilling> {
    return new SampleFilling(bigquery, await bigquery.connection(), options);
  }

  /** Makes the days and lets everybody read them. A second call waits for the first. */
  makeRest(): Promise<void> {
    this.#filled ??= this.#makeRest();
    return this.#filled;
  }

  async #makeRest(): Promise<void> {
    try {
      const makeRest = await this.placed;
      await makeRest();
    } finally {
      this.#connection.closeSync();
    }
    // A sample that lacks nothing fills no table.
    this.#bigquery.release(FACTS);
    await this.#bigquery.tidy();
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Interrupts it. The next start on the same data makes what is missing. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#filled === undefined) return;
    this.#connection.interrupt();
    await this.#filled.catch(() => undefined);
  }
}
