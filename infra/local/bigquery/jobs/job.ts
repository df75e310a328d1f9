import type { ErrorProto } from "../errors.ts";
import { errorProto } from "../errors.ts";
import { BigQueryError, type Field, type TableRef } from "../model.ts";
import type { ResultSet } from "./results.ts";
import { Stages } from "./stages.ts";

/** Where a job lives. Ids are unique within a project and a location. */
export interface JobReference {
  readonly project: string;
  readonly location: string;
  readonly id: string;
}

export interface DmlStatistics {
  inserted: number;
  updated: number;
  deleted: number;
}

/** What a query job measures; filled while it runs. */
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
  /** Nothing ran: the numbers are what would be. */
  dryRun?: true;
}

/** What a load job measures. */
export interface LoadStatistics {
  inputFileBytes: number;
  outputRows: number;
  outputBytes: number;
}

export type JobWork =
  | { readonly kind: "QUERY"; readonly configuration: object; readonly statistics: QueryStatistics }
  | { readonly kind: "LOAD"; readonly configuration: object; readonly statistics: LoadStatistics };

/** Empty statistics of a query that is about to be planned. */
export function queryStatistics(statementType: string, referencedTables: readonly TableRef[]): QueryStatistics {
  return { statementType, totalBytesProcessed: 0, totalBytesBilled: 0, referencedTables, stages: new Stages() };
}

/** What is kept of a job for another process to go on with it. */
interface PersistedState {
  /** What tells that another request is the same one. */
  requestKey?: string;
  timeoutMs?: number;
  /** The file that a load job was given. */
  upload?: string;
  /** The statements of the job, and of these how many from the first on are done with all that they change committed. */
  statements: number;
  committed: number;
  /** Why it was asked to stop. */
  cancelled?: string;
}

/** One job from its insertion to its end. Times are epoch milliseconds. */
export class Job {
  readonly reference: JobReference;
  /** The principal's e-mail: nobody else but the service may see the job. */
  readonly owner: string;
  readonly work: JobWork;
  readonly labels: Readonly<Record<string, string>>;
  readonly creationTime: number;
  readonly parent: Job | undefined;
  /** Fulfilled when the job is over, however it ended. */
  readonly over: Promise<void>;
  startTime: number | undefined;
  endTime: number | undefined;
  error: BigQueryError | undefined;
  errors: readonly ErrorProto[] = [];
  result: ResultSet | undefined;
  /** Whether an earlier process began it. */
  isResumed = false;
  readonly persisted: PersistedState = { statements: 0, committed: 0 };
  /** The statements of a script, once it ran. */
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
    parent?: Job;
  }) {
    this.reference = options.reference;
    this.owner = options.owner;
    this.work = options.work;
    this.labels = options.labels;
    this.creationTime = options.creationTime;
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

  /** Ends the job once; later calls change nothing. `details` are further errors beside the one that ended it. */
  finish(at: number, error?: BigQueryError, details: readonly ErrorProto[] = []): void {
    if (this.endTime !== undefined) return;
    this.startTime ??= at;
    this.endTime = at;
    this.error = error;
    this.errors = error ? [errorProto(error), ...details] : [];
    this.#end();
  }

  /** Asks the job to end as `stopped`. A job that waits ends at its turn; a running statement is interrupted. */
  stop(message: string): void {
    if (this.endTime !== undefined) return;
    this.#stopped ??= new BigQueryError("stopped", message);
    this.#interrupt?.();
  }

  /** Throws when the job was asked to stop. */
  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped;
  }

  /** Runs interruptible work; a stop that arrives meanwhile wins over whatever the work throws because of it. */
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
