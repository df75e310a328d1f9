import { type Config, parseConfig } from "../../shared/runtime/config.ts";
import { functionTokens } from "./as-function.ts";
import type { CloudReady } from "./messages.ts";

export const PROJECT = "demo-local";
export const BUCKET = "local-exports";
export const LANDING_BUCKET = "local-landing";

/** The configuration of the local service, for code outside the functions that uses only Firestore and IAM. */
export function functionsConfig(project: string): Pick<Config, "project" | "accountsProjects" | "databases" | "environment"> {
  const { databases } = parseConfig(FIXED);
  return { project, accountsProjects: [project], databases, environment: "local" };
}

/** The variables that hold for every local service, whatever its addresses. */
const FIXED = { GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: BUCKET, LANDING_BUCKET };

/** The full name of the queue, which the local cloud creates before the functions have an environment. */
export function queueName(): string {
  const { project, queueRegion, queue } = parseConfig(FIXED);
  return `projects/${project}/locations/${queueRegion}/queues/${queue}`;
}

/** The bucket of deliveries, and the full name of the topic that it notifies. */
export function landing(): { readonly bucket: string; readonly topic: string } {
  const { project, landingsTopic } = parseConfig(FIXED);
  return { bucket: LANDING_BUCKET, topic: `projects/${project}/topics/${landingsTopic}` };
}

/**
 * The environment of the functions' process. It has the variables that Terraform sets in the cloud, with local addresses. It always has the same
 * ones: a process that starts several services, one after another, passes on those of the last.
 */
export function functionsEnvironment(
  cloud: CloudReady,
  { countriesFile, databases, tickSeconds }: { countriesFile: string; databases: Config["databases"]; tickSeconds: number },
): Record<string, string> {
  return {
    ...FIXED,
    FIRESTORE_DATABASE: databases.main,
    FIRESTORE_USAGE_DATABASE: databases.usage,
    // Google's emulators know no service accounts.
    ...functionTokens(Object.values(cloud.engines).includes("google-emulator") ? {} : cloud.function_tokens),
    // As in the bundles of the functions, which have no OpenTelemetry.
    FIRESTORE_ENABLE_TRACING: "off",
    CORS_LOOPBACK: "true",
    COUNTRIES_FILE: countriesFile,
    TICK_SECONDS: String(tickSeconds),
    PUBSUB_REST_URL: `http://${cloud.pubsub}`,
    TASKS_ADDRESS: cloud.tasks,
    IAM_CREDENTIALS_ADDRESS: cloud.iam,
    STORAGE_URL: `http://${cloud.storage}`,
    BIGQUERY_URL: `http://${cloud.bigquery}`,
    FIRESTORE_EMULATOR_HOST: cloud.firestore,
    PUBSUB_EMULATOR_HOST: cloud.pubsub,
    GCE_METADATA_HOST: cloud.metadata,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  };
}
