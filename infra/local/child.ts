import { type ChildProcess, fork } from "node:child_process";
import { openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import {
  type AddHistory,
  type CreateDatasets,
  CustomersMade,
  DatabasesGranted,
  DatasetsCreated,
  type Environment,
  Fed,
  type Feed,
  Filled,
  Filling,
  type FillSample,
  type GrantDatabases,
  HistoryAdded,
  HistoryHeld,
  type MakeCustomers,
  type SampleProgress,
  StartFailed,
} from "./messages.ts";

/** A child process that has reported ready. */
export interface Child<T> {
  readonly process: ChildProcess;
  readonly ready: T;
  /** Resolves with the child's next message. Rejects with a one-line error if the child reports a failure or exits first. */
  readonly next: Promise<unknown>;
}

/** Somebody stopped the start, for example with Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super("The start was interrupted");
  }
}

interface ChildOptions<T> {
  /** Relative to this file. */
  readonly file: string;
  readonly args?: readonly string[];
  /** A module that runs before the file. Relative to this one. */
  readonly preload?: string;
  /** The size of V8's young generation in MiB. By default V8's own, as deployed. */
  readonly semiSpaceMib?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly ready: v.GenericSchema<unknown, T>;
  /** More environment, which the child gets as a message when it is known. If it never is, the child ends. */
  readonly later?: Promise<Readonly<Record<string, string>>>;
  /** Ends the child if it is not ready yet. */
  readonly signal?: AbortSignal;
}

/**
 * V8 has four threads by default that collect garbage and compile beside the main one. The processors of a laptop's local service are shared
 * by its processes, and four threads take them from the requests: with one, the 99th percentile of a GET is half as long.
 */
const ONE_THREAD = "--v8-pool-size=1";
/**
 * V8 makes objects old from the start where earlier ones lived long. Here those are soon garbage too, and keep all young objects that they refer to
 * until a full collection. Without it a collection of young objects takes a third of the time.
 */
const ALL_START_YOUNG = "--no-allocation-site-pretenuring";
/** Full collections run when the heap has doubled. By default that is at a tenth in some runs, every two seconds under load. */
const FULL_COLLECTION_AT_DOUBLE = "--heap-growing-percent=100";
/** Node would print its warnings as text. `json-log.ts` writes them as the rest of the log. */
const NO_WARNINGS = "--no-warnings";
const V8_FLAGS = [ONE_THREAD, ALL_START_YOUNG, FULL_COLLECTION_AT_DOUBLE];

/**
 * Starts a process of the local service and waits for its ready message. Its output goes to `logFile`. It exits when this process ends,
 * because its IPC channel then closes. Throws a one-line error if the child cannot start or exits before it is ready.
 */
export function startChild<T>({
  file,
  args = [],
  preload,
  semiSpaceMib = 16,
  env,
  later,
  logFile,
  ready,
  signal,
}: ChildOptions<T>): Promise<Child<T>> {
  if (signal?.aborted) return Promise.reject(new Interrupted());
  const log = openSync(logFile, "a", 0o600);
  const before = preload === undefined ? [] : ["--import", new URL(preload, import.meta.url).href];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [...args], {
    env: { ...env },
    execArgv: [...V8_FLAGS, `--max-semi-space-size=${semiSpaceMib}`, NO_WARNINGS, ...before],
    stdio: ["ignore", log, log, "ipc"],
  });
  const end = (): void => void endChild(child);
  signal?.addEventListener("abort", end);
  later?.then(
    (environment) => child.connected && child.send({ environment } satisfies Environment),
    () => child.kill("SIGKILL"),
  );
  const said = spoken(child, `${file} exited before it was ready; see ${logFile}`);
  const next = said.then(() => spoken(child, `${file} exited; see ${logFile}`));
  // Callers may ignore `next`. Its rejection must not be unhandled.
  next.catch(() => undefined);
  return said
    .then((message) => ({ process: child, ready: v.parse(ready, message), next }))
    .catch((error: unknown) => {
      // Stops the child: it must not outlive a failed start.
      child.kill("SIGKILL");
      throw error;
    })
    .finally(() => signal?.removeEventListener("abort", end));
}

/** The next message of a child. */
function spoken(child: ChildProcess, ended: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // Ctrl-C and a closed terminal reach a whole process group, so a child that is not ready yet may end before this process sees the signal.
    const exited = (_code: number | null, signal: string | null): void =>
      reject(signal === "SIGINT" || signal === "SIGHUP" ? new Interrupted() : new Error(ended));
    child.once("exit", exited);
    child.once("error", reject);
    child.once("message", (message) => {
      child.off("exit", exited);
      child.off("error", reject);
      const failed = v.safeParse(StartFailed, message);
      if (failed.success) reject(new Error(failed.output.failed));
      else resolve(message);
    });
  });
}

/** Asks the local cloud to load a tick of presence. Resolves when the tick is loaded or that process has exited. */
export function askFeed(cloud: ChildProcess, tick: Date): Promise<void> {
  const feed = tick.toISOString();
  return ask(cloud, { feed } satisfies Feed, (message) => v.is(Fed, message) && message.fed === feed);
}

/**
 * Asks the local cloud to add a map's headcounts. Resolves when queries of them wait for them, or that process has exited, with what says
 * whether it could: never, if that process exits before.
 */
export async function askHistory(cloud: ChildProcess, history: AddHistory["history"]): Promise<{ readonly added: Promise<boolean> }> {
  const added = Promise.withResolvers<boolean>();
  const listen = (message: unknown): void => {
    if (v.is(HistoryAdded, message) && message.historyOf === history.mapId) added.resolve(!message.failed);
  };
  cloud.on("message", listen);
  await ask(cloud, { history } satisfies AddHistory, (message) => v.is(HistoryHeld, message) && message.historyHeldOf === history.mapId);
  return { added: added.promise.finally(() => cloud.off("message", listen)) };
}

/** Asks the local cloud to let the functions' grants reach these databases and no others. Resolves when they do or that process has exited. */
export function askDatabaseGrants(cloud: ChildProcess, databases: GrantDatabases["grant_databases"]): Promise<void> {
  return ask(cloud, { grant_databases: databases } satisfies GrantDatabases, (message) => v.is(DatabasesGranted, message));
}

/** Asks the local cloud to create the datasets of a customer. Rejects if it cannot, or exits before they are there. */
export async function askDatasets(cloud: ChildProcess, uid: string): Promise<void> {
  let answer: DatasetsCreated | undefined;
  await ask(cloud, { create_datasets_of: uid } satisfies CreateDatasets, (message) => {
    if (v.is(DatasetsCreated, message) && message.datasets_of === uid) answer = message;
    return answer !== undefined;
  });
  const failed = answer ? answer.failed : "the local cloud exited";
  if (failed !== undefined) throw new Error(`The datasets of the customer ${uid} could not be created: ${failed}`);
}

/** Asks the functions' process for the sample customers. Throws a one-line error if it cannot make them, or exits before they are there. */
export async function askCustomers(
  functions: ChildProcess,
  wanted: MakeCustomers["make_customers"],
): Promise<CustomersMade["sample_customers"]> {
  let answer: CustomersMade | undefined;
  await ask(functions, { make_customers: wanted } satisfies MakeCustomers, (message) => {
    if (v.is(CustomersMade, message)) answer = message;
    return answer !== undefined;
  });
  if (!answer) throw new Error("The functions' process exited before the sample customers were there");
  if (answer.failed !== undefined) throw new Error(answer.failed);
  return answer.sample_customers;
}

/**
 * Asks the local cloud for the sample data. Throws a one-line error if it cannot make them, or exits before they are there.
 * @param onProgress called when a step begins
 */
export async function askSample(cloud: ChildProcess, onProgress: (progress: SampleProgress) => void = () => undefined): Promise<void> {
  let answer: unknown;
  await ask(cloud, { fill_sample: true } satisfies FillSample, (message) => {
    if (v.is(Filling, message)) onProgress(message.filling);
    if (v.is(Filled, message) || v.is(StartFailed, message)) answer = message;
    return answer !== undefined;
  });
  if (v.is(Filled, answer)) return;
  throw new Error(v.is(StartFailed, answer) ? answer.failed : "The local cloud exited before the sample data was complete");
}

/** Sends a request to a child. Resolves with its answer, or when it has exited. */
function ask(
  child: ChildProcess,
  request: Feed | AddHistory | CreateDatasets | GrantDatabases | MakeCustomers | FillSample,
  isAnswer: (message: unknown) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      child.off("message", listen);
      child.off("exit", done);
      resolve();
    };
    const listen = (message: unknown): void => {
      if (isAnswer(message)) done();
    };
    child.on("message", listen);
    child.once("exit", done);
    child.send(request, (error) => error && done());
  });
}

/** Stops a process with SIGTERM, and with SIGKILL after five seconds. */
export function endChild(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill("SIGTERM");
  });
}
