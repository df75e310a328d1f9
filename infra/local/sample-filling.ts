import type { DuckDBConnection } from "@duckdb/node-api";
import type { BigQueryServer } from "./bigquery/server.ts";
import type { Holding } from "./bigquery/warehouse/held-tables.ts";
import type { CloudOptions, SampleProgress } from "./messages.ts";
import { generateSample, SAMPLE_TABLES } from "./sample/generate.ts";
import { topUpSample } from "./sample/top-up.ts";

/** The sample's tables, and what says which of their days and ticks there are. */
export const SAMPLE_HOLDING: Holding = {
  tables: SAMPLE_TABLES,
  ledgers: ["intake.batches", "mobility.batches", "mobility.batch_geo_types"],
  by: "table_name",
};

type Warehouse = Pick<BigQueryServer, "withConnection" | "release" | "tidy">;
type Size = Pick<CloudOptions, "seed" | "scale" | "days" | "tickSeconds" | "dataDirectory">;
interface FillingOptions extends Size {
  /** The clock by which the sample ends; without it, the present time. */
  readonly now?: () => Date;
}

/** Makes the sample in a warehouse that holds its tables. Who reads a table waits until it is whole, and for no other. */
export class SampleFilling {
  readonly #bigquery: Warehouse;
  readonly #options: FillingOptions;
  readonly #onProgress: (progress: SampleProgress) => void;
  readonly #stopping = new AbortController();
  #connection: DuckDBConnection | undefined;
  #filled: Promise<void> | undefined;
  #isMade = false;

  /** @param onProgress called when a step begins */
  constructor(bigquery: Warehouse, options: FillingOptions, onProgress: (progress: SampleProgress) => void = () => undefined) {
    this.#onProgress = onProgress;
    this.#bigquery = bigquery;
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Whether all of it is there. */
  get isMade(): boolean {
    return this.#isMade;
  }

  /** Makes what is missing of the sample. All tables must exist. A second call waits for the first. */
  fill(): Promise<void> {
    this.#filled ??= this.#fill();
    return this.#filled;
  }

  async #fill(): Promise<void> {
    const { seed, scale, days, tickSeconds, dataDirectory, now = () => new Date() } = this.#options;
    const { signal } = this.#stopping;
    const onFilled = (tables: readonly string[]): void => this.#bigquery.release(tables);
    const sample = { seed, scale, days, tickSeconds, now: now(), signal, onFilled, onProgress: this.#onProgress };
    await this.#bigquery.withConnection(async (connection) => {
      this.#connection = connection;
      try {
        await (dataDirectory === undefined ? generateSample(connection, sample) : topUpSample(connection, sample));
      } finally {
        this.#connection = undefined;
      }
    });
    // A sample that lacks nothing fills no table.
    this.#bigquery.release(SAMPLE_TABLES);
    await this.#bigquery.tidy();
    this.#isMade = true;
  }

  /** Interrupts it. The next start on the same data makes what is missing. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#connection?.interrupt();
    await this.#filled?.catch(() => undefined);
  }
}
