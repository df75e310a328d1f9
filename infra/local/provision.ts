import { readFileSync } from "node:fs";
import { BigQuery } from "@google-cloud/bigquery";
import { Firestore } from "@google-cloud/firestore";
import { PubSub } from "@google-cloud/pubsub";
import { CloudTasksClient } from "@google-cloud/tasks";
import { grpcAddress } from "../../shared/cloud/grpc-address.ts";
import type { Config } from "../../shared/config.ts";
import type { ApiKey } from "../../shared/schemas/api-key.ts";
import { createCustomer, newUid } from "../../shared/stores/customer-lifecycle.ts";
import { type Customer, DEFAULT_LIMITS } from "../../shared/stores/customers.ts";
import { makeKey } from "../../shared/stores/machine-accounts.ts";

/** A customer of the local service, as `ready.json` shows it. */
export interface LocalCustomer {
  readonly uid: string;
  readonly name: string;
  readonly default_country: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Makes the queue, the topics and the push subscription: what Terraform makes in the cloud. */
export async function provisionPath(config: Config, pubsubHost: string, workerUrl: string): Promise<void> {
  const tasks = new CloudTasksClient({ projectId: config.project, ...grpcAddress(config.addresses.tasks) });
  const name = tasks.queuePath(config.project, config.region, config.queue);
  await tasks.createQueue({
    parent: tasks.locationPath(config.project, config.region),
    queue: { name, rateLimits: { maxDispatchesPerSecond: 500, maxConcurrentDispatches: 1000 } },
  });
  const pubsub = new PubSub({ projectId: config.project, apiEndpoint: pubsubHost, emulatorMode: true });
  const [topic] = await pubsub.createTopic(config.topic);
  const [deadLetters] = await pubsub.createTopic(`${config.topic}-dead-letter`);
  await topic.createSubscription(`${config.topic}-run`, {
    pushConfig: { pushEndpoint: workerUrl },
    ackDeadlineSeconds: 600,
    retryPolicy: { minimumBackoff: { seconds: 1 }, maximumBackoff: { seconds: 60 } },
    deadLetterPolicy: { deadLetterTopic: deadLetters.name, maxDeliveryAttempts: 10 },
  });
  await Promise.all([tasks.close(), pubsub.close()]);
}

export interface Account {
  readonly name: string;
  readonly countries: readonly string[];
  readonly defaultCountry: string;
  readonly limits?: Partial<Customer["limits"]>;
  readonly keys: Readonly<Record<string, Pick<ApiKey, "service" | "scopes" | "machineAccountAdmin">>>;
}

/** What tells one deployment's customers from another's. */
type Identifying = Pick<Config, "project" | "accountsProject" | "environment">;

/** Creates a customer with its keys and service accounts. Returns what its holder needs. */
export async function provisionCustomer(config: Identifying, metadataHost: string, account: Account): Promise<LocalCustomer> {
  const db = new Firestore({ projectId: config.project });
  const uid = newUid();
  const { name, countries, defaultCountry } = account;
  await createCustomer(db, uid, { name, countries, defaultCountry, limits: { ...DEFAULT_LIMITS, ...account.limits } });
  const keys: Record<string, string> = {};
  for (const [keyLabel, grants] of Object.entries(account.keys)) {
    const label = keyLabel.replaceAll("_", "-");
    const making = { uid, keyLabel: label, environment: config.environment, now: new Date() };
    keys[keyLabel] = (await makeKey(db, { ...making, decide: () => ({ ...grants, countries }) })).apiKey;
  }
  await Promise.all([
    db.terminate(),
    ...["storage", "warehouse"].map((profile) => createServiceAccount(config, metadataHost, `${profile}-${uid}`)),
  ]);
  return { uid, name, default_country: defaultCountry, keys };
}

async function createServiceAccount(config: Identifying, metadataHost: string, accountId: string): Promise<void> {
  const tokenUrl = `http://${metadataHost}/computeMetadata/v1/instance/service-accounts/default/token`;
  const token: unknown = await (await fetch(tokenUrl, { headers: { "metadata-flavor": "Google" } })).json();
  const bearer = token !== null && typeof token === "object" && "access_token" in token ? String(token.access_token) : "";
  const response = await fetch(`http://${metadataHost}/v1/projects/${config.accountsProject}/serviceAccounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ accountId }),
  });
  if (!response.ok) throw new Error(`The service account ${accountId} could not be made: ${response.status} ${await response.text()}`);
}

/** Makes a customer's views in the warehouse: the personal dataset, and the one behind its listing in eu. Gives the personal dataset's name. */
export async function provisionDatasets(config: Pick<Config, "project">, bigqueryUrl: string, uid: string): Promise<string> {
  const bigquery = new BigQuery({ projectId: config.project, apiEndpoint: bigqueryUrl });
  for (const [file, location] of [
    ["realtime_data", "europe-north1"],
    ["target_country_summary_view_customer", "EU"],
  ]) {
    const script = readFileSync(new URL(`../warehouse/customer/${file}.sql`, import.meta.url), "utf8").replaceAll("{uid}", uid);
    await bigquery.query({ query: script, ...(location === undefined ? {} : { location }) });
  }
  return `customer_${uid}`;
}
