import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect } from "vitest";
import { functionsConfig } from "../../../infra/local/functions-environment.ts";
import { parseOptions } from "../../../infra/local/options.ts";
import { type RunningService, startService } from "../../../infra/local/service.ts";
import { copyPreparedData } from "../../../infra/testing/prepared-data.ts";
import { type Config, parseConfig } from "../../../shared/runtime/config.ts";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { type LocalCustomer, provisionCustomer } from "../local/customers.ts";
import { provisionDatasets } from "../local/datasets.ts";
import { runAdmin } from "../run.ts";

/** The outcome of a command of the operator's tool. */
interface Run {
  readonly out: string;
  /** Questions and lines on standard error. */
  readonly notes: readonly string[];
  /** The error message; undefined on success. */
  readonly failure: string | undefined;
}

interface Circumstances {
  /** The typed answers, question by question; then the input ends. */
  readonly answers?: readonly string[];
  readonly now?: () => Date;
}

let running: { readonly service: RunningService; readonly stateDirectory: string } | undefined;

/** Starts the local service for the tests of the tool. Each test creates its own customers. */
export async function startServiceUnderTest(): Promise<void> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "populus-admin-test-"));
  const data = join(stateDirectory, "data");
  await copyPreparedData(data);
  const options = parseOptions(["--state", stateDirectory, "--data", data, "--no-schedule", "--port", "0"]);
  running = { service: await startService(options, () => undefined), stateDirectory };
}

/** Stops the service. */
export async function stopServiceUnderTest(): Promise<void> {
  await running?.service.stop();
  if (running) rmSync(running.stateDirectory, { recursive: true, force: true });
}

/** Returns the running service: its addresses, its folder and the configuration of its functions. */
export function underTest() {
  if (!running) throw new Error("the service under test is not running");
  const { service, stateDirectory } = running;
  return { ready: service.ready, stateDirectory, config: parseConfig(service.environment) };
}

/** Runs a command of the tool in this process, against the service under test unless it names another deployment. */
export async function admin(args: readonly string[], { answers = [], now = () => new Date() }: Circumstances = {}): Promise<Run> {
  const isElsewhere = args.some((word) => word === "--state" || word === "--project");
  const left = [...answers];
  const notes: string[] = [];
  let out = "";
  const failure = await runAdmin(isElsewhere ? args : [...args, "--state", underTest().stateDirectory], {
    out: (text) => {
      out += text;
    },
    note: (line) => notes.push(line),
    ask: async (question) => {
      notes.push(question);
      return left.shift();
    },
    now,
    user: "an-operator",
  }).then(() => undefined, messageOf);
  return { out, notes, failure };
}

/** Runs a command that must succeed with `--json`. Returns its parsed answer. */
export async function adminJson<S extends v.GenericSchema>(schema: S, ...args: readonly string[]): Promise<v.InferOutput<S>> {
  const run = await admin([...args, "--json"]);
  expect(run.failure).toBe(undefined);
  return v.parse(schema, JSON.parse(run.out));
}

const PLAIN = { service: "storage", scopes: ["realtime"], machineAccountAdmin: false } as const;

/** Creates a customer for the test, with the keys admin, storage and warehouse. */
export function newCustomer(name = "A test's customer", countries = ["EST", "LAT", "NOR"]): Promise<LocalCustomer> {
  const { ready } = underTest();
  return provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
    ...{ name, countries, defaultCountry: countries[0] ?? "EST" },
    keys: {
      storage: PLAIN,
      warehouse: { ...PLAIN, service: "warehouse" },
      admin: { ...PLAIN, service: "warehouse", machineAccountAdmin: true },
    },
  });
}

/** Creates a customer's datasets in the warehouse. */
export function giveDatasets(config: Config, uid: string): Promise<string> {
  return provisionDatasets(config, underTest().ready.bigquery_endpoint, uid);
}

/** Returns a customer's key by label. Throws if it has none. */
export function keyOf({ name, keys }: LocalCustomer, label: string): string {
  const key = keys[label];
  if (key === undefined) throw new Error(`${name} has no key ${label}`);
  return key;
}

/** Sends a request to one of the two base URLs. */
export async function call(
  api: "users" | "data",
  method: string,
  path: string,
  key: string,
  body?: object,
  more: Record<string, string> = {},
) {
  const { ready } = underTest();
  const response = await fetch(`${api === "users" ? ready.users_base_url : ready.data_base_url}${path}`, {
    method,
    headers: { "x-api-key": key, ...(body ? { "content-type": "application/json" } : {}), ...more },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** Returns the status of a login with a key. */
export async function login(key: string, service = "storage"): Promise<number> {
  return (await call("users", "POST", "/login-with-apikey", key, { service })).status;
}

const Minted = v.object({ accessToken: v.string() });

/** Mints a token with a key. */
export async function tokenOf(key: string, service = "storage"): Promise<string> {
  const answer = await call("users", "POST", "/login-with-apikey", key, { service });
  return v.parse(Minted, answer.body).accessToken;
}

/** Returns the status of listing a customer's export folder with a token. */
export async function listFolder(uid: string, token: string): Promise<number> {
  const { ready } = underTest();
  const folder = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?prefix=${encodeURIComponent(`results/${uid}/`)}`;
  return (await fetch(folder, { headers: { authorization: `Bearer ${token}` } })).status;
}

const MetadataToken = v.object({ access_token: v.string() });

/** Returns an operator's token for Google's APIs. */
export async function operatorToken(): Promise<string> {
  const url = `http://${underTest().ready.metadata_host}/computeMetadata/v1/instance/service-accounts/default/token`;
  const response = await fetch(url, { headers: { "metadata-flavor": "Google" } });
  return v.parse(MetadataToken, await response.json()).access_token;
}

/** Empties BigQuery's streaming buffer, as time would. */
export async function flushStreamed(): Promise<void> {
  const { bigquery_endpoint, project } = underTest().ready;
  const url = `${bigquery_endpoint}/emulator/v1/projects/${project}/streamingBuffer`;
  const response = await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${await operatorToken()}` } });
  if (!response.ok) throw new Error(`The buffer was not emptied: ${response.status} ${await response.text()}`);
}
