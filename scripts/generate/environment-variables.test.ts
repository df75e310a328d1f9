import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseConfig } from "../../shared/runtime/config.ts";
import { environmentVariables } from "./environment-variables.ts";

/** The environment that the tests of modules/environment-plan expect of Terraform. */
const EXPECTED = new URL("../../terraform/modules/environment-plan/tests/environment-variables.tftest.hcl", import.meta.url);
/** Variables that are unset in the cloud: clients know Google's addresses, and countries are built in. */
const LOCAL = [
  "ACCESS_TOKEN",
  "BIGQUERY_URL",
  "CORS_LOOPBACK",
  "COUNTRIES_FILE",
  "IAM_CREDENTIALS_ADDRESS",
  "PUBSUB_REST_URL",
  "STORAGE_URL",
  "TASKS_ADDRESS",
];
/** Variables that the runtime and packages read, not the project's code. */
const PLATFORM = ["LOG_EXECUTION_ID", "METADATA_SERVER_DETECTION"];

function expectedEnvironment(): Record<string, string> {
  const source = readFileSync(EXPECTED, "utf8");
  const [, table = ""] = /condition = output\.environment_variables == \{\n(.*?)\n {4}\}/s.exec(source) ?? [];
  // Some functions have one more.
  const [interactive = ""] = /INTERACTIVE_RESERVATION += ".*"/.exec(source) ?? [];
  return Object.fromEntries(
    [...`${table}\n    ${interactive}`.matchAll(/^ +([A-Z_]+) += "(.*)"$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Returns the configuration of an environment, and the variables that were read. */
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

it("the functions accept the environment that Terraform sets, which leaves out what is local", () => {
  const environment = expectedEnvironment();
  const { config, looked } = readConfig(environment);
  const set = Object.keys(environment);
  expect([...looked].filter((name) => !set.includes(name)).sort()).toEqual(LOCAL);
  expect(set.filter((name) => !looked.has(name)).sort()).toEqual(PLATFORM);
  expect(Object.keys(environmentVariables()).sort()).toEqual(set.filter((name) => looked.has(name)).sort());
  expect(config).toMatchObject({
    project: "populus-prod",
    environment: "prod",
    accountsProjects: ["populus-prod-delivery", "populus-prod-more"],
    queueServiceAccount: "task-queue@populus-prod.iam.gserviceaccount.com",
    corsOrigins: ["http://localhost:5173", "https://maps.example.com"],
    addresses: { pubsubRest: "https://pubsub.googleapis.com", tasks: undefined, bigquery: undefined, storage: undefined },
  });
  expect(parseConfig({ ...environment, CORS_ORIGINS: undefined }).corsOrigins).toEqual([]);
});

it.each([
  ["GOOGLE_CLOUD_PROJECT", "Populus"],
  ["ENVIRONMENT", "test"],
  ["BYTES_BILLED_MAX", "1e12"],
  ["INTERACTIVE_BYTES_MAX", "1e9"],
  ["INTERACTIVE_RESERVATION", "interactive"],
  ["QUERY_PRICE_CURRENCY", "euro"],
  ["CORS_ORIGINS", "maps.example.com"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:secret@otel.example.com"],
  ["OTEL_TRACES_SAMPLER_ARG", "half"],
  ["TICK_SECONDS", "5 min"],
])("the pattern of %s refuses %s, as the functions do", (name, value) => {
  const pattern = environmentVariables()[name] ?? "";
  const environment = expectedEnvironment();
  expect(new RegExp(pattern).test(environment[name] ?? "")).toBe(true);
  expect(new RegExp(pattern).test(value)).toBe(false);
  expect(() => parseConfig({ ...environment, [name]: value })).toThrow(name);
});
