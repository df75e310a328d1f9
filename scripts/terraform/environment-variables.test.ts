import * as v from "valibot";
import { expect, it } from "vitest";
import { parseConfig } from "../../shared/runtime/config.ts";
import { Instances, textArgument } from "./instances.ts";
import { isFields, Unknown, type Value } from "./language/value.ts";
import { ENVIRONMENTS, planEnvironment } from "./roots.ts";

/**
 * Variables that are unset in the cloud: clients know Google's addresses, countries are built in, and CORS origins must be listed
 * explicitly.
 */
const LEFT_OUT = [
  "BIGQUERY_URL",
  "CORS_ORIGINS",
  "COUNTRIES_FILE",
  "IAM_CREDENTIALS_ADDRESS",
  "PUBSUB_REST_URL",
  "STORAGE_URL",
  "TASKS_ADDRESS",
];
/** Variables that the runtime and packages read, not the project's code. */
const PLATFORM = ["LOG_EXECUTION_ID", "METADATA_SERVER_DETECTION"];

const ServiceConfig = v.tuple([v.object({ environment_variables: v.custom<Value>(() => true) })]);

/** Returns the variables that `shared/runtime/config.ts` reads from an environment, and the resulting configuration. */
function readConfig(environment: Readonly<Record<string, string>>) {
  const looked = new Set<string>();
  const look = (name: string | symbol) => {
    if (typeof name === "string") looked.add(name);
  };
  const watched = new Proxy(environment, {
    get: (target, name) => {
      look(name);
      return typeof name === "string" ? target[name] : undefined;
    },
    has: (target, name) => {
      look(name);
      return name in target;
    },
  });
  return { config: parseConfig(watched), looked };
}

/** Resolves an argument that refers to a resource to its value after an apply: a name, or an account's email. */
function made(instances: Instances, value: Value | undefined): string {
  if (!(value instanceof Unknown)) return String(value);
  const of = instances.named(value);
  return value.of.endsWith(".email")
    ? `${textArgument(of, "account_id")}@${textArgument(of, "project")}.iam.gserviceaccount.com`
    : textArgument(of, "name");
}

it.each(ENVIRONMENTS)(
  "%s sets each variable that the configuration reads, or leaves it to a default that is meant for the cloud",
  async (name) => {
    const instances = new Instances((await planEnvironment(name)).instances());
    const environments = instances.of("google_cloudfunctions2_function").map(({ arguments: fields }) => {
      const [{ environment_variables: set }] = v.parse(ServiceConfig, fields.service_config);
      return isFields(set) ? Object.fromEntries(Object.entries(set).map(([variable, value]) => [variable, made(instances, value)])) : {};
    });
    const [environment = {}] = environments;
    expect(environments).toEqual(environments.map(() => environment));

    const { config, looked } = readConfig(environment);
    const set = Object.keys(environment);
    expect([...looked].filter((variable) => !set.includes(variable)).sort()).toEqual(LEFT_OUT);
    expect(set.filter((variable) => !looked.has(variable)).sort()).toEqual(PLATFORM);
    expect(config).toMatchObject({
      project: `populus-${name}`,
      environment: name,
      accountsProject: `populus-${name}-delivery`,
      corsOrigins: [],
      addresses: { pubsubRest: "https://pubsub.googleapis.com", tasks: undefined, bigquery: undefined, storage: undefined },
    });
  },
);

it.each(ENVIRONMENTS)("%s names the queue, its account, the topic and the bucket that it creates", async (name) => {
  const instances = new Instances((await planEnvironment(name)).instances());
  const [one] = instances.of("google_cloudfunctions2_function");
  const [{ environment_variables: set }] = v.parse(ServiceConfig, one?.arguments.service_config);
  const fields = isFields(set) ? set : {};
  const types = ["QUEUE", "QUEUE_SERVICE_ACCOUNT", "EXPORT_BUCKET"].map((variable) => instances.named(fields[variable]).type);
  expect(types).toEqual(["google_cloud_tasks_queue", "google_service_account", "google_storage_bucket"]);
  const topics = instances.of("google_pubsub_topic").map((topic) => textArgument(topic, "name"));
  expect(topics).toContain(fields.TOPIC);
  const [queue] = instances.of("google_cloud_tasks_queue");
  expect(fields.QUEUE_REGION).toBe(queue?.arguments.location);
});
