import type { ErrorProto } from "../errors.ts";
import { errorProto } from "../errors.ts";
import { BigQueryError, type Field, type TableRef } from "../model.ts";
import type { ResultSet } from "./results.ts";
import { Stages } from "./stages.ts";

/** The full name of a job. Ids are unique within a project and a location. */
export interface JobReference {
  readonly project: string;
  readonly location: string;
  readonly id: string;
}

/** Returns a reservation's full name as a job's statistics have it: `{project}:{location}.{reservation}`. */
export function reservationId(name: string): string {
  const [, project, , location, , reservation] = name.split("/");
  return `${project}:${location}.${reservation}`;
}

export interface DmlStatistics {
  inserted: number;
  updated: number;
  deleted: number;
}

/** Statistics of a query job, filled while it runs. */
export interface QueryStatistics {
  statementType: string;
  totalBytesProcessed: number;
  totalBytesBilled: number;
  referencedTables: readonly TableRef[];
  schema?: readonly Field[];
  dml?: DmlStatistics;
  ddl?: { readonly operation: string; readonly table?: TableRef };
  exported?: { readonly fileCount: number; readonly rowCount: number };
  readonly stages: Stages;
  /** Set for a dry run: the numbers are estimates. */
  dryRun?: true;
}

/** Statistics of a load job. */
export interface LoadStatistics {
  inputFileBytes: number;
  outputRows: number;
  outputBytes: number;
}

export type JobWork =
  | { readonly kind: "QUERY"; readonly configuration: object; readonly statistics: QueryStatistics }
  | { readonly kind: "LOAD"; readonly configuration: object; readonly statistics: LoadStatistics };

/** Returns empty statistics for a query that is about to be planned. */
export function queryStatistics(statementType: string, referencedTables: readonly TableRef[]): QueryStatistics {
  return { statementType, totalBytesProcessed: 0, totalBytesBilled: 0, referencedTables, stages: new Stages() };
}

/** The persisted state that another process needs to resume a job. */
interface PersistedState {
  /** Identifies repetitions of the same request. */
  requestKey?: string;
  timeoutMs?: number;
  /** The uploaded file of a load job. */
  upload?: string;
  /** The number of the job's statements. The first `committed` of them are done, with all their changes committed. */
  statements: number;
  committed: number;
  /** The reason of a stop request. */
  cancelled?: string;
}

/** How often a statement that was asked to stop is interrupted. */
const INTERRUPT_AGAIN_MS = 50;

/** One job from its insertion to its end. Times are epoch milliseconds. */
export class Job {
  readonly reference: JobReference;
  /** The principal's e-mail. Only the owner and the service may see the job. */
  readonly owner: string;
  readonly work: JobWork;
  readonly labels: Readonly<Record<string, string>>;
  readonly creationTime: number;
  /** The full name of the reservation that the job was given, or `none`. */
  readonly reservation: string | undefined;
  readonly parent: Job | undefined;
  /** Resolves when the job is finished, however it ended. */
  readonly over: Promise<void>;
  startTime: number | undefined;
  endTime: number | undefined;
  error: BigQueryError | undefined;
  errors: readonly ErrorProto[] = [];
  result: ResultSet | undefined;
  /** Whether an earlier process started it. */
  isResumed = false;
  readonly persisted: PersistedState = { statements: 0, committed: 0 };
  /** The statements of a script, after it has run. */
  readonly children: Job[] = [];
  #interrupt: (() => void) | undefined;
  #stopped: BigQueryError | undefined;
  readonly #end: () => void;

  constructor(options: {
    reference: JobReference;
    owner: string;
    work: JobWork;
    labels: Readonly<Record<string, string>>;
    creationTime: number;
    reservation?: string | undefined;
    parent?: Job;
  }) {
    this.reference = options.reference;
    this.owner = options.owner;
    this.work = options.work;
    this.labels = options.labels;
    this.creationTime = options.creationTime;
    this.reservation = options.reservation;
    this.parent = options.parent;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#end = resolve;
  }

  get state(): "PENDING" | "RUNNING" | "DONE" {
    if (this.endTime !== undefined) return "DONE";
    return this.startTime === undefined ? "PENDING" : "RUNNING";
  }

  start(at: number): void {
    this.startTime = at;
  }

  /** Ends the job once. Later calls change nothing. `details` are further errors besides the one that ended it. */
  finish(at: number, error?: BigQueryError, details: readonly ErrorProto[] = []): void {
    if (this.endTime !== undefined) return;
    this.startTime ??= at;
    this.endTime = at;
    this.error = error;
    this.errors = error ? [errorProto(error), ...details] : [];
    this.#end();
  }

  /** Asks the job to end as `stopped`. A waiting job ends at its turn; a running statement is interrupted. */
  stop(message: string): void {
    if (this.endTime !== undefined) return;
    this.#stopped ??= new BigQueryError("stopped", message);
    this.#interrupt?.();
  }

  /** Waits, but no longer than until the job is asked to stop: then it throws that error. */
  async unlessStopped(waited: Promise<void>): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    await this.interruptible(
      () => reject(this.#stopped),
      () => Promise.race([waited, promise]),
    );
  }

  /** Throws if the job was asked to stop. */
  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped;
  }

  /**
   * Runs one statement within interruptible work. DuckDB forgets an interrupt that comes before a statement has begun on its threads, so a
   * stopped one is interrupted until it ends. What undoes it must not be.
   */
  async statement<Result>(work: () => Promise<Result>): Promise<Result> {
    this.throwIfStopped();
    const again = setInterval(() => {
      if (this.#stopped) this.#interrupt?.();
    }, INTERRUPT_AGAIN_MS);
    try {
      return await work();
    } finally {
      clearInterval(again);
    }
  }

  /** Runs interruptible work. If a stop arrives meanwhile, its error replaces whatever the work throws because of it. */
  async interruptible<Result>(interrupt: () => void, work: () => Promise<Result>): Promise<Result> {
    this.throwIfStopped();
    this.#interrupt = interrupt;
    try {
      return await work();
    } catch (error) {
      this.throwIfStopped();
      throw error;
    } finally {
      this.#interrupt = undefined;
    }
  }
}
