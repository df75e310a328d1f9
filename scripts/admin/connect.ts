import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { firestore } from "../../shared/google/firestore.ts";
import { type Config, parseConfig } from "../../shared/runtime/config.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { cloudProject } from "../cloud-project.ts";
import { readCountryFile } from "../country-file.ts";
import { inProject } from "../project-folder.ts";
import { type AuditSink, cloudSink, fileSink, keepAudit } from "./audit-sink.ts";
import { type AuditSource, cloudSource, fileSource } from "./audit-source.ts";
import type { AdminContext } from "./context.ts";
import { DRILL, type FirestoreAdmin, openFirestoreAdmin } from "./databases/firestore-admin.ts";
import { openGoogleRest } from "./google-rest.ts";
import type { CommonOptions } from "./options.ts";
import { assertAnswers, readReady } from "./ready.ts";
import { openServiceAccounts } from "./service-accounts.ts";
import type { Place, Session } from "./session.ts";
import { openSubscriptions, type Subscriptions } from "./subscriptions.ts";
import { UsageError } from "./usage-error.ts";

const BUILT_IN = new URL("../../infra/countries.json", import.meta.url);
const CUSTOMERS_FILE = fileURLToPath(new URL("../../terraform/customers/customers.auto.tfvars.json", import.meta.url));

interface Found {
  readonly place: Place;
  readonly config: Config;
  readonly countriesFile: string | URL;
  readonly iamUrl: string;
  readonly subscriptions: Subscriptions;
  readonly auditSink: AuditSink;
  readonly auditSource: AuditSource;
  readonly firestoreAdminUrl: string;
}

/** Connects to the deployment that the options name. Throws a UsageError if it does not answer or the options conflict. */
export async function connect(options: CommonOptions, { note, ask, now, user }: AdminContext): Promise<Session> {
  const { project } = options;
  if (project !== undefined && options.state !== undefined) throw new UsageError("--state and --project exclude each other");
  const found = project === undefined ? await findLocal(options) : findCloud(project, options, note);
  const { place, config, auditSink, subscriptions } = found;
  const rest = openGoogleRest(config.project);
  const firestoreAdmin = openFirestoreAdmin(found.firestoreAdminUrl, config.project, rest);
  if (place.kind === "cloud" && options.database === undefined && process.env.FIRESTORE_DATABASE === undefined)
    await assertOneDatabase(firestoreAdmin, config);
  const actor = { kind: "operator", name: options.operator ?? user } as const;
  return {
    ...{ place, config, note, ask, now, subscriptions },
    db: firestore(config),
    countries: readCountries(options.countries ?? found.countriesFile),
    serviceAccounts: openServiceAccounts(config, found.iamUrl, rest),
    firestoreAdmin,
    auditSince: found.auditSource,
    record: (action, uid, subject) => keepAudit(auditSink, { action, actor, uid, ...(subject === undefined ? {} : { subject }) }, now()),
  };
}

/** Throws a UsageError if the functions may use another database: what is revoked in a former one still opens everything. */
async function assertOneDatabase({ list }: FirestoreAdmin, { databases: { main, usage } }: Config): Promise<void> {
  const others = (await list()).filter((id) => id !== main && id !== usage && !id.startsWith(DRILL));
  if (others.length > 0)
    throw new UsageError(`--database is missing: the project has ${[main, ...others].join(" and ")}. Name the one that the functions use`);
}

/** Finds a running local service by the folder of its `ready.json`. */
async function findLocal({ state: stateDirectory = inProject(".local"), ...options }: CommonOptions): Promise<Found> {
  for (const name of ["environment", "database", "export-bucket", "accounts-project", "customers-file"] as const)
    if (options[name] !== undefined) throw new UsageError(`--${name} requires --project`);
  const ready = readReady(stateDirectory);
  await assertAnswers(ready, stateDirectory);
  // Google's clients read these variables to find Firestore and the local metadata server, which issues their tokens.
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: ready.firestore_host,
    GCE_METADATA_HOST: ready.metadata_host,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
    GOOGLE_CLOUD_PROJECT: ready.project,
  });
  return {
    place: { kind: "local", stateDirectory, metadataHost: ready.metadata_host, bigqueryUrl: ready.bigquery_endpoint },
    config: parseConfig({
      GOOGLE_CLOUD_PROJECT: ready.project,
      ENVIRONMENT: "local",
      EXPORT_BUCKET: ready.export_bucket,
      FIRESTORE_DATABASE: ready.firestore_databases.main,
      FIRESTORE_USAGE_DATABASE: ready.firestore_databases.usage,
      STORAGE_URL: ready.storage_endpoint,
      BIGQUERY_URL: ready.bigquery_endpoint,
      TASKS_ADDRESS: ready.tasks_host,
      PUBSUB_REST_URL: `http://${ready.pubsub_host}`,
    }),
    countriesFile: ready.countries_file,
    iamUrl: `http://${ready.metadata_host}`,
    // The local cloud has no Analytics Hub.
    subscriptions: { revokeAll: async () => [] },
    auditSink: fileSink(join(stateDirectory, "audit.log")),
    auditSource: fileSource(stateDirectory),
    firestoreAdminUrl: ready.firestore_admin_endpoint,
  };
}

/** Finds a cloud project. The environment variables of the functions apply here too and can change the addresses. */
function findCloud(project: string, options: CommonOptions, note: AdminContext["note"]): Found {
  if (options.environment === undefined)
    throw new UsageError(
      "--environment is missing: dev or prod. It is part of the stored hash of a key, so keys made with a wrong one do not work",
    );
  assertProject(project);
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  if (emulator) note(`Using Firestore at ${emulator} (FIRESTORE_EMULATOR_HOST)`);
  const config = parsedConfig({
    ...process.env,
    GOOGLE_CLOUD_PROJECT: project,
    ENVIRONMENT: options.environment,
    FIRESTORE_DATABASE: options.database ?? process.env.FIRESTORE_DATABASE,
    EXPORT_BUCKET: options["export-bucket"] ?? process.env.EXPORT_BUCKET ?? `${project}-exports`,
    ACCOUNTS_PROJECT: options["accounts-project"] ?? process.env.ACCOUNTS_PROJECT,
  });
  const rest = openGoogleRest(project);
  const loggingUrl = process.env.LOGGING_URL ?? "https://logging.googleapis.com";
  return {
    place: { kind: "cloud", customersFile: options["customers-file"] ?? CUSTOMERS_FILE },
    config,
    countriesFile: BUILT_IN,
    iamUrl: process.env.IAM_URL ?? "https://iam.googleapis.com",
    subscriptions: openSubscriptions(config, process.env.ANALYTICS_HUB_URL ?? "https://analyticshub.googleapis.com", rest),
    auditSink: cloudSink(loggingUrl, project, rest),
    auditSource: cloudSource(loggingUrl, project, rest),
    firestoreAdminUrl: process.env.FIRESTORE_ADMIN_URL ?? "https://firestore.googleapis.com",
  };
}

function assertProject(project: string): void {
  try {
    cloudProject(project);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function parsedConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  try {
    return parseConfig(environment);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function readCountries(file: string | URL): CountryTable {
  try {
    return readCountryFile(`The country rules in ${file}`, file).countries;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
