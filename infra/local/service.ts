import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { datasetDefinitions } from "../../scripts/admin/local/dataset-definitions.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { basePorts } from "./base-ports.ts";
import { askCustomers, askDatabaseGrants, askFeed, askSample, type Child, endChild, Interrupted, startChild } from "./child.ts";
import { sampleSettings } from "./data-directory.ts";
import { BUCKET, functionsEnvironment, landing, PROJECT, queueName } from "./functions-environment.ts";
import { foldersToMake, removeFolders } from "./made-folders.ts";
import { CloudReady, DatasetRequested, FunctionsReady, type Ports, TablesMade } from "./messages.ts";
import { type StartOptions, USAGE_DATABASE } from "./options.ts";
import { addHistory, makeDatasets, makeMonitoredMap } from "./provision.ts";
import { describe, type Ready, writeReady } from "./ready-file.ts";
import { startSchedules } from "./schedule.ts";
import { keepCountries, leaveState, mergeCountries, prepareState } from "./state-directory.ts";
import { provisionTopics } from "./topics.ts";

/** How often a restart of the functions' process is tried, and how long after a failure. */
const RESTART_TRIES = 10;
const RESTART_AGAIN_MS = 500;

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
  /** Resolves with a one-line message if the service fails. */
  readonly failed: Promise<string>;
  readonly stop: () => Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

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

async function start(options: StartOptions, say: (line: string) => void, { between, signal }: Starting): Promise<RunningService> {
  const { stateDirectory, dataDirectory, tickSeconds } = options;
  const sample = sampleSettings(options);
  await prepareState(stateDirectory);
  const [users, data] = await basePorts(options.port);
  const countriesFile = mergeCountries(options);
  const readyFile = join(stateDirectory, "ready.json");
  say(`Starting the local cloud and its ${dataDirectory === undefined ? "sample data" : `data in ${dataDirectory}`} …`);
  let databases = { main: options.database, usage: USAGE_DATABASE };
  const cloudOptions = {
    project: PROJECT,
    bucket: BUCKET,
    landing: landing(),
    queue: queueName(),
    stateDirectory,
    databases,
    dataDirectory,
    engines: options.engines,
    ...sample,
    tickSeconds,
    countriesFile,
  };
  const baseMap = options.baseMap === undefined ? {} : { LOCAL_BASE_MAP: options.baseMap };
  let ports: Ports = { users, data };
  const startFunctions = async (own: Environment | Promise<Environment>): Promise<Child<FunctionsReady>> => {
    signal?.throwIfAborted();
    const local = (of: Environment): Environment => ({ ...of, LOCAL_PORTS: JSON.stringify(ports), ...baseMap });
    const child = await startChild({
      file: "functions.ts",
      preload: "stand-in-domain.ts",
      ...(own instanceof Promise
        ? { args: ["later"], env: process.env, later: own.then(local) }
        : { env: { ...process.env, ...local(own) } }),
      logFile: join(stateDirectory, "functions.log"),
      ready: FunctionsReady,
      ...(signal === undefined ? {} : { signal }),
    });
    child.process.once("exit", () => {
      restarting = restart();
    });
    child.process.on("message", (message) => {
      const asked = v.safeParse(DatasetRequested, message);
      if (asked.success) createDataset(asked.output.dataset_requested).catch((error) => say(`A dataset was not created: ${String(error)}`));
    });
    return child;
  };
  const starting = startChild({
    file: "cloud.ts",
    // Rows of queries are many short-lived objects. A large young generation avoids copying them.
    semiSpaceMib: 64,
    args: [JSON.stringify(cloudOptions)],
    env: process.env,
    logFile: join(stateDirectory, "cloud.log"),
    ready: CloudReady,
    ...(signal === undefined ? {} : { signal }),
  });
  const given = Promise.withResolvers<Environment>();
  // It loads its modules while the local cloud starts. An environment of tests may also be for its start.
  const early = between === undefined ? startFunctions(given.promise) : undefined;
  early?.catch(() => undefined);
  const cloud = await starting.catch(async (error: unknown) => {
    given.reject(error);
    await early?.catch(() => undefined);
    throw error;
  });
  const { engines } = cloud.ready;
  say(`Engines: Firestore ${engines.firestore}, Pub/Sub ${engines.pubsub}, BigQuery ${engines.warehouse}`);
  say("Starting the functions …");
  let environment = functionsEnvironment(cloud.ready, { countriesFile, databases, tickSeconds });
  let functionsOwn = (await between?.(environment)) ?? environment;
  given.resolve(functionsOwn);
  let functions: Child<FunctionsReady>;
  let stopping = false;
  let isFilled = false;
  let restarting: Promise<void> = Promise.resolve();
  let stopSchedules = (): void => undefined;
  let ready: Ready;
  let fail: (line: string) => void = () => undefined;
  const failed = new Promise<string>((resolve) => {
    fail = resolve;
  });

  const stop = async (): Promise<void> => {
    stopping = true;
    stopSchedules();
    // A restarted process would outlive the service.
    await restarting;
    const drained = endChild(functions?.process);
    // Requests that wait for sample data would wait until they are cut off.
    if (isFilled) await drained;
    await Promise.all([drained, endChild(cloud.process)]);
    leaveState(stateDirectory);
  };
  /** Creates the personal dataset that a customer has requested, as an operator does in the cloud, and records that it is ready. */
  const createDataset = async (uid: string): Promise<void> => {
    const config = parseConfig(environment);
    await makeDatasets(cloud, config, uid);
    const [{ setPersonalDataset }, { firestore }] = await Promise.all([
      import("../../shared/accounts/customers-admin.ts"),
      import("../../shared/google/firestore.ts"),
    ]);
    await setPersonalDataset(firestore(config), uid, datasetDefinitions(uid).dataset);
  };
  const restart = async (): Promise<void> => {
    if (stopping || signal?.aborted) return;
    say("The functions' process exited; restarting it …");
    for (let tries = 1; !stopping; tries++) {
      try {
        functions = await startFunctions(functionsOwn);
        ready = { ...ready, pids: { ...ready.pids, functions: functions.process.pid ?? 0 } };
        writeReady(readyFile, ready);
        return;
      } catch (error) {
        const why = `The functions' process cannot be restarted: ${error instanceof Error ? error.message : String(error)}`;
        if (tries === RESTART_TRIES) {
          fail(why);
          return;
        }
        // Another process may have taken one of its ports for a moment.
        say(`${why}; trying again …`);
        await wait(RESTART_AGAIN_MS);
      }
    }
  };

  const pointAt = async (main: string): Promise<void> => {
    const { usage } = databases;
    await askDatabaseGrants(cloud.process, { main: [databases.main, main], usage: [usage] });
    databases = { main, usage };
    environment = functionsEnvironment(cloud.ready, { countriesFile, databases, tickSeconds });
    functionsOwn = (await between?.(environment)) ?? environment;
    ready = { ...ready, firestore_databases: databases };
    await endChild(functions.process);
    // Its exit has started another one.
    await restarting;
    await askDatabaseGrants(cloud.process, { main: [main], usage: [usage] });
  };

  const interrupt = (): void => {
    // Without the local cloud, what the functions have begun would wait for its answers for minutes.
    functions?.process.kill("SIGKILL");
    void endChild(cloud.process);
  };
  const interrupted = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(new Interrupted()), { once: true }));
  interrupted.catch(() => undefined);
  signal?.addEventListener("abort", interrupt, { once: true });
  try {
    signal?.throwIfAborted();
    cloud.process.once("exit", () => {
      if (!stopping && !signal?.aborted) fail(`The local cloud exited; see ${join(stateDirectory, "cloud.log")}`);
    });
    try {
      functions = await (early ?? startFunctions(functionsOwn));
    } catch (error) {
      // Another process took the default ports after they were checked.
      if (options.port !== undefined || users === 0 || signal?.aborted) throw error;
      ports = { users: 0, data: 0 };
      functions = await startFunctions(functionsOwn);
    }
    ports = functions.ready.ports;
    Object.assign(process.env, environment);
    const config = parseConfig(environment);
    const countries = Object.keys(parseCountryTable(countriesFile, JSON.parse(readFileSync(countriesFile, "utf8"))));
    keepCountries(options);
    v.parse(TablesMade, await cloud.next);
    const provisioned = Promise.all([
      provisionTopics(config, cloud.ready.pubsub, (name) => `http://127.0.0.1:${ports[name]}/`),
      // This process does without Firestore's client, which takes a second to load.
      askCustomers(functions.process, { dataDirectory, countries, metadata: cloud.ready.metadata }),
    ]);
    const [, customers] = await Promise.race([provisioned, interrupted]);
    const made = Promise.all([
      makeMonitoredMap(dataDirectory, customers[0], ports),
      ...customers.map(({ uid }) => makeDatasets(cloud, config, uid)),
    ]);
    const [monitored] = await Promise.race([made, interrupted]);
    const history = monitored && (await addHistory(dataDirectory, cloud, monitored));
    const described = customers.map((customer) => ({ ...customer, personal_dataset: datasetDefinitions(customer.uid).dataset }));
    ready = describe(cloud, functions, described, { countriesFile, databases });
    writeReady(readyFile, ready);
    const urlOf = (name: string): string | undefined => ready.functions[name];
    const feed = (tick: Date): Promise<void> => askFeed(cloud.process, tick);
    if (options.schedule) stopSchedules = startSchedules({ urlOf, feed, tickSeconds });
    signal?.removeEventListener("abort", interrupt);
    const filled = Promise.all([askSample(cloud.process), history?.added]).then(() => undefined);
    filled.then(
      () => {
        isFilled = true;
      },
      (error: unknown) => {
        if (!stopping) fail(error instanceof Error ? error.message : String(error));
      },
    );
    return { ready, environment, filled, failed, pointAt, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
