import { join } from "node:path";
import { ALLOCATOR } from "./bigquery/warehouse/memory-limits.ts";
import { type Child, startChild } from "./child.ts";
import type { SampleSettings } from "./data-directory.ts";
import { BUCKET, landing, PROJECT, queueName } from "./functions-environment.ts";
import type { Environment, FunctionsProcess } from "./functions-process.ts";
import { type CloudOptions, CloudReady } from "./messages.ts";
import type { StartOptions } from "./options.ts";
import type { Ready } from "./ready-file.ts";
import type { ServiceParts } from "./stop-service.ts";

interface Processes {
  /** Gets the local cloud, so that a stop ends it. */
  readonly parts: ServiceParts;
  readonly options: StartOptions;
  readonly sample: SampleSettings;
  readonly countriesFile: string;
  readonly databases: Ready["firestore_databases"];
  readonly functions: FunctionsProcess;
  /** Returns the environment of the functions, once the local cloud has its addresses. */
  readonly environmentOf: (cloud: CloudReady) => Promise<Environment>;
  /** Whether the functions' process may start before its environment is known. An environment of tests may also be for its start. */
  readonly isEarly: boolean;
  readonly signal: AbortSignal | undefined;
  /** Receives progress lines for people. */
  readonly say: (line: string) => void;
}

/** The processes of a service: the local cloud is ready, the functions' are on their way. */
interface Started {
  readonly cloud: Child<CloudReady>;
  /** Resolves when the functions are ready, too. Rejects with a one-line error if they cannot start. */
  readonly functionsReady: Promise<void>;
}

/**
 * Starts the process of the local cloud, and meanwhile that of the functions, which loads its modules until it gets the cloud's addresses. Throws a
 * one-line error if the cloud cannot start.
 */
export async function startProcesses({ parts, functions, environmentOf, isEarly, say, ...of }: Processes): Promise<Started> {
  const starting = startCloud(of);
  const given = Promise.withResolvers<Environment>();
  const early = isEarly ? functions.start(given.promise) : undefined;
  // Their failure is told below, when it is waited for, or is the cloud's.
  for (const promise of [given.promise, early]) promise?.catch(() => undefined);
  try {
    const cloud = await starting;
    parts.cloud = cloud;
    const { firestore, pubsub, warehouse } = cloud.ready.engines;
    say(`Engines: Firestore ${firestore}, Pub/Sub ${pubsub}, BigQuery ${warehouse}`);
    say("Starting the functions …");
    const environment = await environmentOf(cloud.ready);
    given.resolve(environment);
    const functionsReady = early ?? functions.start(environment);
    functionsReady.catch(() => undefined);
    return { cloud, functionsReady };
  } catch (error) {
    given.reject(error);
    await early?.catch(() => undefined);
    throw error;
  }
}

type CloudsOwn = Pick<Processes, "options" | "sample" | "countriesFile" | "databases" | "signal">;

function startCloud({ options, sample, countriesFile, databases, signal }: CloudsOwn): Promise<Child<CloudReady>> {
  const { stateDirectory, dataDirectory, engines, tickSeconds } = options;
  const cloudOptions: CloudOptions = {
    ...{ project: PROJECT, bucket: BUCKET, landing: landing(), queue: queueName() },
    ...{ stateDirectory, dataDirectory, databases, engines, ...sample, tickSeconds, countriesFile },
  };
  return startChild({
    file: "cloud.ts",
    // Rows of queries are many short-lived objects. A large young generation avoids copying them.
    semiSpaceMib: 64,
    args: [JSON.stringify(cloudOptions)],
    env: { ...ALLOCATOR, ...process.env },
    logFile: join(stateDirectory, "cloud.log"),
    ready: CloudReady,
    ...(signal === undefined ? {} : { signal }),
  });
}
