import type { DuckDBConnection } from "@duckdb/node-api";

/** DuckDB divides a table's rows among its threads in groups of this size. Source: https://duckdb.org/docs/stable/guides/performance/how_to_tune_workloads */
const ROW_GROUP = 122_880;

/**
 * DuckDB's threads besides those that statements run on. They are woken at each step of every statement and then look for more to do, which costs a small
 * one a quarter more CPU, and more time after a pause. So they exist only while there is work that they can share.
 */
export class BackgroundThreads {
  readonly #connection: DuckDBConnection;
  readonly #all: number;
  #uses = 0;
  #exist = true;
  #isChanging = false;
  /** Settles when DuckDB has the threads that it needs now. Does not reject: without them the work only takes longer. */
  #settled: Promise<unknown> = Promise.resolve();

  private constructor(connection: DuckDBConnection, all: number) {
    this.#connection = connection;
    this.#all = all;
  }

  /** Ends the threads that DuckDB has begun. `connection` is for this alone. */
  static async open(connection: DuckDBConnection): Promise<BackgroundThreads> {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    const threads = new BackgroundThreads(connection, Number(reader.getRows()[0]?.[0] ?? 1));
    threads.#adjust();
    await threads.#settled;
    return threads;
  }

  /** Runs work that reads this many rows: with the threads if there is a group for each of two. */
  async forRows<Result>(rows: number, work: () => Promise<Result>): Promise<Result> {
    return rows < 2 * ROW_GROUP ? work() : this.use(work);
  }

  /** Runs work with the threads. */
  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.keep();
    try {
      return await work();
    } finally {
      this.#uses--;
      this.#adjust();
    }
  }

  /** Has the threads exist from now on, because nobody says when the work is over. */
  async keep(): Promise<void> {
    this.#uses++;
    this.#adjust();
    await this.#settled;
  }

  /**
   * Runs work of DuckDB that has no other form than one which blocks this thread, while no threads begin or end. DuckDB waits for those that end, one of
   * which may be in a function of ours, which waits for this thread; and the work would wait for DuckDB.
   */
  async blocking<Result>(work: () => Result): Promise<Result> {
    while (this.#isChanging) await this.#settled;
    return work();
  }

  /** Resolves when nothing is left to begin or end. */
  async settled(): Promise<void> {
    await this.#settled;
  }

  async close(): Promise<void> {
    await this.settled();
    this.#connection.closeSync();
  }

  /** DuckDB calls external the threads that it must not begin itself: those that statements run on. */
  #adjust(): void {
    this.#settled = this.#settled
      .then(async () => {
        const needed = this.#uses > 0;
        if (needed === this.#exist) return;
        this.#isChanging = true;
        await this.#connection.run(`SET GLOBAL external_threads = ${needed ? 1 : this.#all}`);
        this.#exist = needed;
      })
      .catch(() => undefined)
      .finally(() => {
        this.#isChanging = false;
      });
  }
}
