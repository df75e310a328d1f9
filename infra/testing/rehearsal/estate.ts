import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { Firestore } from "@google-cloud/firestore";
import { Compute } from "google-auth-library";
import * as v from "valibot";
import { parseConfig } from "../../../shared/runtime/config.ts";
import { OPERATOR } from "../../local/access.ts";
import { askDatabaseGrants, askFeed, askSample, type Child, endChild, startChild } from "../../local/child.ts";
import { BUCKET, functionsEnvironment, landing, PROJECT, queueName } from "../../local/functions-environment.ts";
import { CloudReady, FunctionsReady, type Ports, TablesMade } from "../../local/messages.ts";
import { parseOptions, USAGE_DATABASE } from "../../local/options.ts";
import { leaveState, mergeCountries, prepareState } from "../../local/state-directory.ts";
import { provisionTopics } from "../../local/topics.ts";
import { adminCaller } from "../contracts/firestore-admin.ts";
import { type Front, startFront, type Version } from "./front.ts";

/** Seconds between two ticks. Ticks are fired by hand. */
export const TICK_S = 3;
const DAYS = 4;
const WORKERS = ["aggregation-run", "aggregation-dead-letter", "realtime-measure", "loading-import"];

/** A process with the functions of a version. */
export interface Running {
  readonly version: Version;
  readonly ports: Ports;
  readonly child: Child<FunctionsReady>;
}

/** A local cloud in which the functions of two versions can run at once, behind a front. */
export interface Estate {
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly front: Front;
  /** The warehouse as the operator opens it, who may do everything. */
  readonly bigquery: BigQuery;
  /** The Firestore Admin API as an operator calls it. */
  readonly firestoreAdmin: () => Promise<ReturnType<typeof adminCaller>>;
  /** Lets the functions' grants reach these main databases, as Terraform does. */
  readonly grantDatabases: (main: readonly string[]) => Promise<void>;
  /** Starts the functions of a version and points the front to them, in place of those that it pointed to before. */
  readonly run: (version: Version, program: string, environment?: Readonly<Record<string, string>>) => Promise<Running>;
  /** Opens a client of a database, which the caller terminates. */
  readonly database: (databaseId?: string) => Firestore;
  /** Returns the log lines of a version's functions. */
  readonly logOf: (version: Version) => string[];
  /** Loads the presence of a tick. */
  readonly feed: (tick: Date) => Promise<void>;
  /** Ends a process of functions, which answers its requests first. */
  readonly stop: (running: Running) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts the local cloud with sample data in this release's tables, the front, and the topics, which push to the front. */
export async function startEstate(stateDirectory: string): Promise<Estate> {
  const databases = { main: "(default)", usage: USAGE_DATABASE };
  const options = parseOptions(["--state", stateDirectory, "--engines", "embedded", "--no-schedule", "--tick", String(TICK_S)]);
  await prepareState(stateDirectory);
  const countriesFile = mergeCountries(options);
  const cloud = await startChild({
    file: "cloud.ts",
    args: [
      JSON.stringify({
        ...{ project: PROJECT, bucket: BUCKET, landing: landing(), queue: queueName(), stateDirectory, databases, engines: "embedded" },
        ...{ seed: 1, scale: 1, days: DAYS, tickSeconds: TICK_S, countriesFile },
      }),
    ],
    env: process.env,
    logFile: join(stateDirectory, "cloud.log"),
    ready: CloudReady,
  });
  const environment = functionsEnvironment(cloud.ready, { countriesFile, databases, tickSeconds: TICK_S });
  // The clients of this process find the addresses there. The next cloud must not.
  Object.assign(process.env, environment);
  const front = await startFront(WORKERS);
  const running: Running[] = [];
  try {
    await provisionTopics(parseConfig(environment), cloud.ready.pubsub, front.urlOf);
    v.parse(TablesMade, await cloud.next);
    await askSample(cloud.process);
  } catch (error) {
    await endChild(cloud.process);
    throw error;
  }
  const operator = new Compute({ serviceAccountEmail: `${OPERATOR}@${PROJECT}.iam.gserviceaccount.com` });
  return {
    ...{ project: PROJECT, environment, front },
    bigquery: new BigQuery({ projectId: PROJECT, apiEndpoint: `http://${cloud.ready.bigquery}`, authClient: operator }),
    firestoreAdmin: async () => {
      const { token } = await operator.getAccessToken();
      return adminCaller(`http://${cloud.ready.firestore_admin}`, PROJECT, token ?? "");
    },
    grantDatabases: (main) => askDatabaseGrants(cloud.process, { main: [...main], usage: [databases.usage] }),
    run: async (version, program, own = {}) => {
      const child = await startChild({
        file: program,
        env: { ...process.env, ...environment, ...own, LOCAL_PORTS: "{}" },
        logFile: join(stateDirectory, `functions-${version}.log`),
        ready: FunctionsReady,
      });
      const started: Running = { version, ports: child.ready.ports, child };
      running.push(started);
      front.point(version, started.ports);
      return started;
    },
    database: (databaseId = "(default)") => new Firestore({ projectId: PROJECT, databaseId }),
    logOf: (version) => readFileSync(join(stateDirectory, `functions-${version}.log`), "utf8").split("\n"),
    feed: (tick) => askFeed(cloud.process, tick),
    stop: ({ child }) => endChild(child.process),
    close: async () => {
      await Promise.all(running.map(({ child }) => endChild(child.process)));
      await front.close();
      await endChild(cloud.process);
      for (const name of Object.keys(environment)) delete process.env[name];
      leaveState(stateDirectory);
    },
  };
}
