import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { datasetDefinitions } from "../../scripts/admin/local/dataset-definitions.ts";
import { isLoopbackOrigin } from "../../shared/http/cors.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { functionAccounts, LOADER, OPERATOR, UPLOADER } from "./access.ts";
import { type BigQueryServer, startBigQuery } from "./bigquery/server.ts";
import { persistSettings } from "./data-directory.ts";
import { isDiskFull } from "./disk-full.ts";
import { startDocuments, startMessages } from "./engines.ts";
import { assertDatabaseExists } from "./firestore-admin/existing.ts";
import { startFirestoreAdmin } from "./firestore-admin/server.ts";
import { holdFolder, noRoom } from "./folder-lock.ts";
import { startIam, startMetadata } from "./iam/server.ts";
import { Identity, SCOPES } from "./identity.ts";
import { LandingNotifications } from "./landing-notifications.ts";
import {
  AddHistory,
  CloudOptions,
  type CloudReady,
  CreateDatasets,
  type DatabasesGranted,
  type DatasetsCreated,
  type Fed,
  Feed,
  type Filled,
  FillSample,
  GrantDatabases,
  type HistoryAdded,
  type HistoryHeld,
  type TablesMade,
} from "./messages.ts";
import { DEFAULT_DATABASE } from "./options.ts";
import { endWithParent, tellParent } from "./parent.ts";
import { headcountTables, loadHistory } from "./sample/history.ts";
import { generatePresence } from "./sample/presence.ts";
import { SAMPLE_HOLDING, SampleFilling } from "./sample-filling.ts";
import { startStorage } from "./storage/server.ts";
import { makeTables, migrateTables } from "./tables.ts";
import { startTasks } from "./tasks/server.ts";

/** The process of the local cloud. It serves every Google product on its own address and loads the sample data into the warehouse. */
async function main(options: CloudOptions): Promise<void> {
  endWithParent(async () => undefined);
  const { project, bucket, stateDirectory, dataDirectory } = options;
  const within = (name: string) => (dataDirectory === undefined ? undefined : join(dataDirectory, name));
  if (dataDirectory !== undefined) {
    await holdFolder(dataDirectory);
    persistSettings(dataDirectory, options);
  }
  const identity = new Identity(Date.now, within("iam/accounts.json"));
  identity.grantDatabases({ main: [options.databases.main], usage: [options.databases.usage] });
  const account = (name: string): string => `${name}@${project}.iam.gserviceaccount.com`;
  for (const name of ["functions", "queue", LOADER, UPLOADER, OPERATOR]) identity.addAccount(account(name));
  const functions = functionAccounts(project);
  for (const email of functions.values()) identity.addFunction(email);
  const tempDir = join(stateDirectory, "tmp");
  mkdirSync(tempDir, { recursive: true });
  parseCountryTable(options.countriesFile, JSON.parse(readFileSync(options.countriesFile, "utf8")));
  // First of all: Google's emulators take longest.
  const messaging = startMessages(options.engines, project, identity, dataDirectory);
  const documenting = startDocuments(options.engines, project, identity, dataDirectory);
  for (const engine of [messaging, documenting]) engine.catch(() => undefined);
  const landings = new LandingNotifications(options.landing.topic);
  const storage = await startStorage({
    directory: within("storage") ?? join(stateDirectory, "storage"),
    buckets: [bucket, options.landing.bucket],
    landing: { bucket: options.landing.bucket, notify: landings.notify },
    identity,
    allowsOrigin: isLoopbackOrigin,
  });
  const kept = within("bigquery");
  const bigquery = await startBigQuery({
    project,
    identity,
    storage: storage.store,
    landingBucket: options.landing.bucket,
    tempDir,
    holding: SAMPLE_HOLDING,
    ...(kept === undefined ? {} : { dataDirectory: kept }),
  });
  // Runs on DuckDB's threads while everything else starts.
  const tables = makeTables(bigquery).then(() => migrateTables(bigquery));
  tables.catch(() => undefined);
  const sample = new SampleFilling(bigquery, options);
  const keptTasks = (pubsubAddress: string) => (dataDirectory === undefined ? {} : { dataDirectory, pubsubAddress });
  // Restored tasks are sent to the present address of Pub/Sub.
  const [documents, messages, tasks, iam, metadata] = await Promise.all([
    documenting,
    messaging,
    messaging.then(({ server }) => startTasks({ identity, queues: [options.queue], ...keptTasks(server.address) })),
    startIam({ identity }),
    startMetadata({
      identity,
      project,
      account: account("functions"),
      otherAccounts: [account(LOADER), account(UPLOADER), account(OPERATOR)],
    }),
  ]);
  await assertDatabaseExists(documents.server.address, project, options.databases.main, DEFAULT_DATABASE);
  landings.connect(messages.server.address);
  const firestoreAdmin = await startFirestoreAdmin({
    identity,
    project,
    firestore: documents.server.address,
    databases: Object.values(options.databases),
  });
  const servers = [firestoreAdmin, documents.server, messages.server, storage, bigquery, tasks, iam, metadata];
  endWithParent(async () => {
    landings.close();
    await sample.stop();
    await Promise.allSettled(servers.map((server) => server.close()));
  });
  const ready: CloudReady = {
    firestore: documents.server.address,
    firestore_admin: firestoreAdmin.address,
    pubsub: messages.server.address,
    tasks: tasks.address,
    iam: iam.address,
    metadata: metadata.address,
    storage: storage.address,
    bigquery: bigquery.address,
    function_tokens: functionTokensOf(identity, functions),
    engines: { firestore: documents.engine, pubsub: messages.engine, warehouse: "duckdb" },
  };
  tellParent(ready);
  serveDatabaseGrants(identity);
  await tables;
  serveDatasets(bigquery);
  serveFeed(bigquery, options);
  serveHistory(bigquery, options);
  serveFilling(sample, options);
  tellParent({ tables_made: true } satisfies TablesMade);
}

/** The tokens of functions are valid as long as this process runs, for which no client has to ask for others. */
const TOKEN_SECONDS = 10 * 365 * 86_400;

function functionTokensOf(identity: Identity, functions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...functions].map(([name, email]) => [name, identity.mint(email, [SCOPES.cloudPlatform], TOKEN_SECONDS).accessToken]),
  );
}

/** Makes the sample data when the parent requests it. This process ends if it cannot. */
function serveFilling(sample: SampleFilling, options: CloudOptions): void {
  process.on("message", (message) => {
    if (!v.is(FillSample, message)) return;
    sample.fill().then(
      () => tellParent({ filled: true } satisfies Filled),
      (error: unknown) => {
        if (!sample.isStopped) fail(error, options);
      },
    );
  });
}

/** Adds the history of a map when the parent requests it. Until then, its rows are neither read nor changed by others. */
function serveHistory(bigquery: BigQueryServer, { seed, scale }: CloudOptions): void {
  const add = (history: AddHistory["history"]): Promise<void> =>
    bigquery.withConnection((connection) => loadHistory(connection, { seed, scale }, history, new Date()));
  process.on("message", (message) => {
    const wanted = v.safeParse(AddHistory, message);
    if (!wanted.success) return;
    const { history } = wanted.output;
    const tables = headcountTables(history.uid);
    bigquery.hold(tables);
    tellParent({ historyHeldOf: history.mapId } satisfies HistoryHeld);
    add(history)
      .then(
        () => false,
        (error: unknown) => {
          console.error(error);
          return true;
        },
      )
      .then((failed) => {
        bigquery.release(tables);
        tellParent({ historyOf: history.mapId, failed } satisfies HistoryAdded);
      });
  });
}

/** Loads a tick of presence when the parent requests it. */
function serveFeed(bigquery: BigQueryServer, { seed, scale, tickSeconds }: CloudOptions): void {
  process.on("message", (message) => {
    const asked = v.safeParse(Feed, message);
    if (!asked.success) return;
    const tick = new Date(asked.output.feed);
    bigquery
      .withConnection((connection) => generatePresence(connection, { seed, scale, tickSeconds, tick }))
      .catch((error: unknown) => console.error(error))
      .finally(() => tellParent({ fed: asked.output.feed } satisfies Fed));
  });
}

/** Creates the datasets of a customer when the parent requests it. */
function serveDatasets(bigquery: BigQueryServer): void {
  process.on("message", (message) => {
    const wanted = v.safeParse(CreateDatasets, message);
    if (!wanted.success) return;
    const uid = wanted.output.create_datasets_of;
    createDatasets(bigquery, uid).then(
      () => tellParent({ datasets_of: uid } satisfies DatasetsCreated),
      (error: unknown) => tellParent({ datasets_of: uid, failed: String(error) } satisfies DatasetsCreated),
    );
  });
}

/** Changes the databases that the functions' grants reach when the parent requests it. */
function serveDatabaseGrants(identity: Identity): void {
  process.on("message", (message) => {
    const wanted = v.safeParse(GrantDatabases, message);
    if (!wanted.success) return;
    identity.grantDatabases(wanted.output.grant_databases);
    tellParent({ databases_granted: true } satisfies DatabasesGranted);
  });
}

async function createDatasets(bigquery: BigQueryServer, uid: string): Promise<void> {
  for (const { sql } of datasetDefinitions(uid).scripts) await bigquery.applyDdl(sql);
}

/** Logs an error, tells the parent in one line, and ends this process. */
function fail(error: unknown, { dataDirectory }: CloudOptions): void {
  console.error(error);
  const isFull = isDiskFull(error) && dataDirectory !== undefined;
  const failed = error instanceof Error ? error.message : String(error);
  tellParent({ failed: isFull ? noRoom(dataDirectory) : failed }, () => process.exit(1));
}

const options = v.parse(CloudOptions, JSON.parse(process.argv[2] ?? "{}"));
try {
  await main(options);
} catch (error) {
  fail(error, options);
}
