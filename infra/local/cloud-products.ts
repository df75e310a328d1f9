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
  await takeDataFolder(options);
  parseCountryTable(options.countriesFile, JSON.parse(readFileSync(options.countriesFile, "utf8")));
  const { identity, functions } = makeIdentity(options);
  const engines = startEngines(options, google, identity);
  const landings = new LandingNotifications(options.landing.topic);
  const { storage, bigquery } = await startWarehouse(options, identity, landings);
  // Runs on DuckDB's threads while everything else starts.
  const tables = makeTables(bigquery).then(() => migrateTables(bigquery));
  tables.catch(() => undefined);
  const sample = new SampleFilling(bigquery, options, (filling) => tellParent({ filling } satisfies Filling));
  const { documents, messages, ...others } = await startOthers(options, identity, engines);
  landings.connect(messages.server.address);
  const servers = { storage, bigquery, ...others };
  endWithParent(async () => {
    landings.close();
    await sample.stop();
    await Promise.allSettled([
      ...Object.values(servers).map((server) => server.close()),
      ...[documents, messages].map((engine) => closeEngine(engine, sample.isMade)),
    ]);
  }, ENDING_MS_MAX);
  tellParent({
    firestore: documents.server.address,
    firestore_admin: servers.firestoreAdmin.address,
    pubsub: messages.server.address,
    tasks: servers.tasks.address,
    iam: servers.iam.address,
    metadata: servers.metadata.address,
    storage: storage.address,
    bigquery: bigquery.address,
    function_tokens: functionTokensOf(identity, functions),
    engines: { firestore: documents.engine, pubsub: messages.engine, warehouse: "duckdb" },
  } satisfies CloudReady);
  serveDatabaseGrants(identity);
  await tables;
  serveWarehouseRequests(bigquery, sample, options);
  tellParent({ tables_made: true } satisfies TablesMade);
}

/** Takes the data folder, if there is one, for this process alone, and writes down its settings. */
async function takeDataFolder(options: CloudOptions): Promise<void> {
  const { dataDirectory } = options;
  if (dataDirectory === undefined) return;
  await holdFolder(dataDirectory);
  refuseLostDocuments(dataDirectory);
  persistSettings(dataDirectory, options);
}

function inDataFolder({ dataDirectory }: CloudOptions, name: string): string | undefined {
  return dataDirectory === undefined ? undefined : join(dataDirectory, name);
}

function accountOf({ project }: CloudOptions, name: string): string {
  return `${name}@${project}.iam.gserviceaccount.com`;
}

/** Makes the accounts that Terraform makes in the cloud. `functions` has those of the functions, by the function's name. */
function makeIdentity(options: CloudOptions): { readonly identity: Identity; readonly functions: ReadonlyMap<string, string> } {
  const identity = new Identity(Date.now, inDataFolder(options, "iam/accounts.json"));
  identity.grantDatabases({ main: [options.databases.main], usage: [options.databases.usage] });
  for (const name of ["functions", "queue", LOADER, UPLOADER, OPERATOR]) identity.addAccount(accountOf(options, name));
  const functions = functionAccounts(options.project);
  for (const email of functions.values()) identity.addFunction(email);
  return { identity, functions };
}

interface Engines {
  readonly documents: ReturnType<typeof startDocuments>;
  readonly messages: ReturnType<typeof startMessages>;
}

/** Begins to start Firestore and Pub/Sub, which take longest. */
function startEngines({ project, dataDirectory }: CloudOptions, google: GoogleEngines, identity: Identity): Engines {
  const messages = startMessages(google, identity, dataDirectory);
  const documents = startDocuments(google, project, identity, dataDirectory);
  // Who waits for them begins later.
  for (const engine of [messages, documents]) engine.catch(() => undefined);
  return { documents, messages };
}

/** Starts Cloud Storage, and BigQuery, which loads from it and exports to it. */
async function startWarehouse(options: CloudOptions, identity: Identity, { notify }: LandingNotifications) {
  const { project, bucket, landing, stateDirectory } = options;
  const tempDir = join(stateDirectory, "tmp");
  mkdirSync(tempDir, { recursive: true });
  const storage = await startStorage({
    directory: inDataFolder(options, "storage") ?? join(stateDirectory, "storage"),
    buckets: [bucket, landing.bucket],
    landing: { bucket: landing.bucket, notify },
    identity,
    allowsOrigin: isLoopbackOrigin,
  });
  const kept = inDataFolder(options, "bigquery");
  const bigquery = await startBigQuery({
    project,
    identity,
    storage: storage.store,
    landingBucket: landing.bucket,
    tempDir,
    holding: SAMPLE_HOLDING,
    ...(kept === undefined ? {} : { dataDirectory: kept }),
  });
  return { storage, bigquery };
}

/** Waits for the engines and starts what is left. Throws a one-line error if Firestore lacks the database of the options. */
async function startOthers(options: CloudOptions, identity: Identity, engines: Engines) {
  const { project, databases, dataDirectory } = options;
  const keptTasks = (pubsubAddress: string) => (dataDirectory === undefined ? {} : { dataDirectory, pubsubAddress });
  const [documents, messages, tasks, iam, metadata] = await Promise.all([
    engines.documents,
    engines.messages,
    // Restored tasks are sent to the present address of Pub/Sub.
    engines.messages.then(({ server }) => startTasks({ identity, queues: [options.queue], ...keptTasks(server.address) })),
    startIam({ identity }),
    startMetadata({
      identity,
      project,
      account: accountOf(options, "functions"),
      otherAccounts: [LOADER, UPLOADER, OPERATOR].map((name) => accountOf(options, name)),
    }),
  ]);
  const firestore = documents.server.address;
  await assertDatabaseExists(firestore, project, databases.main, DEFAULT_DATABASE);
  const firestoreAdmin = await startFirestoreAdmin({ identity, project, firestore, databases: Object.values(databases) });
  return { documents, messages, firestoreAdmin, tasks, iam, metadata };
}

/** The tokens of functions are valid as long as this process runs, for which no client has to ask for others. */
const TOKEN_SECONDS = 10 * 365 * 86_400;

function functionTokensOf(identity: Identity, functions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...functions].map(([name, email]) => [name, identity.mint(email, [SCOPES.cloudPlatform], TOKEN_SECONDS).accessToken]),
  );
}
