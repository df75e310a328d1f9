import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopbackOrigin } from "../../shared/http/cors.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { functionAccounts, LOADER, OPERATOR, UPLOADER } from "./access.ts";
import { startBigQuery } from "./bigquery/server.ts";
import { serveDatabaseGrants, serveWarehouseRequests } from "./cloud-requests.ts";
import { persistSettings } from "./data-directory.ts";
import { closeEngine, type GoogleEngines, startDocuments, startMessages } from "./engines.ts";
import { assertDatabaseExists } from "./firestore-admin/existing.ts";
import { startFirestoreAdmin } from "./firestore-admin/server.ts";
import { holdFolder } from "./folder-lock.ts";
import { startIam, startMetadata } from "./iam/server.ts";
import { Identity, SCOPES } from "./identity.ts";
import { LandingNotifications } from "./landing-notifications.ts";
import { refuseLostDocuments } from "./lost-documents.ts";
import type { CloudOptions, CloudReady, Filling, TablesMade } from "./messages.ts";
import { DEFAULT_DATABASE } from "./options.ts";
import { endWithParent, tellParent } from "./parent.ts";
import { SAMPLE_HOLDING, SampleFilling } from "./sample-filling.ts";
import { startStorage } from "./storage/server.ts";
import { makeTables, migrateTables } from "./tables.ts";
import { startTasks } from "./tasks/server.ts";

/** The parent waits five seconds before it kills. Google's emulators may write something at their end. */
const ENDING_MS_MAX = 4500;

/**
 * Serves every Google product on its own address and loads the sample data into the warehouse, in the process of the local cloud, until that ends.
 * Throws a one-line error if a product cannot be served.
 */
export async function serveCloud(options: CloudOptions, google: GoogleEngines): Promise<void> {
  const { project, bucket, stateDirectory, dataDirectory } = options;
  const within = (name: string) => (dataDirectory === undefined ? undefined : join(dataDirectory, name));
  if (dataDirectory !== undefined) {
    await holdFolder(dataDirectory);
    refuseLostDocuments(dataDirectory);
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
  const messaging = startMessages(google, identity, dataDirectory);
  const documenting = startDocuments(google, project, identity, dataDirectory);
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
  const sample = new SampleFilling(bigquery, options, (filling) => tellParent({ filling } satisfies Filling));
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
  const engines = [documents, messages];
  const servers = [firestoreAdmin, storage, bigquery, tasks, iam, metadata];
  endWithParent(async () => {
    landings.close();
    await sample.stop();
    await Promise.allSettled([...servers.map((server) => server.close()), ...engines.map((engine) => closeEngine(engine, sample.isMade))]);
  }, ENDING_MS_MAX);
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
  serveWarehouseRequests(bigquery, sample, options);
  tellParent({ tables_made: true } satisfies TablesMade);
}

/** The tokens of functions are valid as long as this process runs, for which no client has to ask for others. */
const TOKEN_SECONDS = 10 * 365 * 86_400;

function functionTokensOf(identity: Identity, functions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...functions].map(([name, email]) => [name, identity.mint(email, [SCOPES.cloudPlatform], TOKEN_SECONDS).accessToken]),
  );
}
