import { join } from "node:path";
import { parseConfig } from "../../shared/runtime/config.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { basePorts } from "./base-ports.ts";
import { askDatabaseGrants, askFeed, askSample, Interrupted } from "./child.ts";
import { type SampleSettings, sampleSettings } from "./data-directory.ts";
import { functionsEnvironment } from "./functions-environment.ts";
import { type Environment, FunctionsProcess } from "./functions-process.ts";
import { foldersToMake, removeFolders } from "./made-folders.ts";
import type { CloudReady, SampleProgress } from "./messages.ts";
import { type StartOptions, USAGE_DATABASE } from "./options.ts";
import { makeRequestedDataset, provision } from "./provision.ts";
import { describe, type Ready, ReadyFile } from "./ready-file.ts";
import { startSchedules } from "./schedule.ts";
import { startProcesses } from "./start-processes.ts";
import { keepCountries, mergeCountries, prepareState } from "./state-directory.ts";
import { interruptService, type ServiceParts, stopService } from "./stop-service.ts";

export interface RunningService {
  readonly ready: Ready;
  /** The environment of the functions, for tests that run one in their own process. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Points the functions at another database, such as a restored one, as a deployment does in the cloud: their process ends its requests and
   * starts again at the same addresses. Grants reach both databases until then, and only the other one after it.
   */
  readonly pointAt: (database: string) => Promise<void>;
  /** Resolves when all sample data is there. Until then, requests for what is missing wait. Rejects with a one-line error if it cannot be made. */
  readonly filled: Promise<void>;
  /** Returns the step of the sample data that has begun last; undefined before the first. */
  readonly filling: () => SampleProgress | undefined;
  /** Resolves with a one-line message if the service fails. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
}

interface Starting {
  /** Returns another environment for the functions than the cloud's, for tests that insert a proxy. */
  readonly between?: (environment: Environment) => Promise<Environment>;
  /** Ends a start that is not ready yet. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the local cloud, then the functions, provisions both and writes `ready.json`. The functions' process is restarted whenever it
 * exits. Throws a one-line error if the start fails, and `Interrupted` if its signal ended it: that leaves no process, and no folder that it made.
 * @param say receives progress lines for people
 */
export async function startService(options: StartOptions, say: (line: string) => void, starting: Starting = {}): Promise<RunningService> {
  const { signal } = starting;
  const made = foldersToMake([options.stateDirectory, options.dataDirectory]);
  try {
    const service = await start(options, (line) => signal?.aborted || say(line), starting);
    if (!signal?.aborted) return service;
    await service.stop();
    throw new Interrupted();
  } catch (error) {
    if (!signal?.aborted && !(error instanceof Interrupted)) throw error;
    removeFolders(made);
    throw new Interrupted();
  }
}

/** Starts everything. Whatever ends the start, what has come up by then is stopped. */
async function start(options: StartOptions, say: (line: string) => void, { between, signal }: Starting): Promise<RunningService> {
  const sample = sampleSettings(options);
  await prepareState(options.stateDirectory);
  const parts: ServiceParts = { stateDirectory: options.stateDirectory, isFilled: false, isStopping: false };
  const interrupt = (): void => interruptService(parts);
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    return await bringUp(parts, { options, sample, say, between, signal });
  } catch (error) {
    await stopService(parts);
    throw error;
  } finally {
    signal?.removeEventListener("abort", interrupt);
  }
}

interface Wanted {
  readonly options: StartOptions;
  readonly sample: SampleSettings;
  readonly say: (line: string) => void;
  readonly between: Starting["between"] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Brings the parts up, one after another, and returns the service that they are. */
async function bringUp(parts: ServiceParts, { options, sample, say, between, signal }: Wanted): Promise<RunningService> {
  const { stateDirectory, dataDirectory, tickSeconds } = options;
  const [users, data] = await basePorts(options.port);
  const countriesFile = mergeCountries(options);
  const readyFile = new ReadyFile(join(stateDirectory, "ready.json"));
  const failure = Promise.withResolvers<string>();
  /** Rejects when the functions are gone for good: nothing that needs them can be made. */
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  let databases = { main: options.database, usage: USAGE_DATABASE };
  let environment: Record<string, string> = {};
  /** What the functions get. Also renews the environment of this process's own work. */
  const environmentOf = async (cloud: CloudReady): Promise<Environment> => {
    environment = functionsEnvironment(cloud, { countriesFile, databases, tickSeconds });
    return (await between?.(environment)) ?? environment;
  };
  const functions = new FunctionsProcess({
    logFile: join(stateDirectory, "functions.log"),
    ports: { users, data },
    mayMove: options.port === undefined && users !== 0,
    baseMap: options.baseMap,
    signal,
    say,
    onDatasetRequested: (uid) => {
      makeRequestedDataset(parts, parseConfig(environment), uid).catch((error) => say(`A dataset was not created: ${String(error)}`));
    },
    onRestarted: ({ process }) =>
      readyFile.change(({ pids }) => ({ firestore_databases: databases, pids: { ...pids, functions: process.pid ?? 0 } })),
    onLost: (why) => {
      failure.resolve(why);
      lost.reject(new Error(why));
    },
  });
  parts.functions = functions;

  say(`Starting the local cloud and its ${dataDirectory === undefined ? "sample data" : `data in ${dataDirectory}`} …`);
  const isEarly = between === undefined;
  const { cloud, functionsReady } = await startProcesses({
    ...{ parts, options, sample, countriesFile, databases, functions, environmentOf, isEarly, signal, say },
  });
  cloud.process.once("exit", () => {
    if (!parts.isStopping && !signal?.aborted) failure.resolve(`The local cloud exited; see ${join(stateDirectory, "cloud.log")}`);
  });
  await functionsReady;
  // Google's clients in this process find the addresses there.
  Object.assign(process.env, environment);
  keepCountries(options);
  const provisioned = await Promise.race([
    provision({ dataDirectory, countriesFile, cloud, functions, config: parseConfig(environment), signal, say }),
    lost.promise,
  ]);

  const ready = describe(cloud, functions.current, provisioned.customers, { countriesFile, databases });
  readyFile.publish(ready);
  const urlOf = (name: string): string | undefined => ready.functions[name];
  const feed = (tick: Date): Promise<void> => askFeed(cloud.process, tick);
  if (options.schedule) parts.stopSchedules = startSchedules({ urlOf, feed, tickSeconds });
  let filling: SampleProgress | undefined;
  const onProgress = (progress: SampleProgress): void => {
    filling = progress;
  };
  const filled = Promise.all([askSample(cloud.process, onProgress), provisioned.historyAdded]).then(() => undefined);
  filled.then(
    () => {
      parts.isFilled = true;
    },
    (error: unknown) => {
      if (!parts.isStopping) failure.resolve(messageOf(error));
    },
  );
  const pointAt = async (main: string): Promise<void> => {
    const { usage } = databases;
    await askDatabaseGrants(cloud.process, { main: [databases.main, main], usage: [usage] });
    databases = { main, usage };
    await functions.restartWith(await environmentOf(cloud.ready));
    await askDatabaseGrants(cloud.process, { main: [main], usage: [usage] });
  };
  return { ready, environment, filled, filling: () => filling, failed: failure.promise, pointAt, stop: () => stopService(parts) };
}
