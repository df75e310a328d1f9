import { createServer } from "node:http2";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { beforeAll, describe, expect, inject, it } from "vitest";
import manifest from "../infra/generated/functions.json" with { type: "json" };
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { type Bundle, type Files, makeBundles } from "../scripts/bundle/bundles.ts";
import { functionEntries } from "../scripts/bundle/functions.ts";
import { sampleRequest, scheduled, unknownJob } from "../scripts/bundle/sample-requests.ts";
import { sbom } from "../scripts/bundle/sbom.ts";
import { type RunningBundle, removeFolder, startBundle, unpack } from "../scripts/bundle/testing/running-bundle.ts";
import { readLock } from "../scripts/packages/lock.ts";
import { catalogue } from "./catalogue.ts";

const environment = inject("environment");
const keys = { all: { service: "warehouse", scopes: ["realtime"], machineAccountAdmin: true } } as const;
const bundles = new Map<string, Bundle>();
/** The members of a bill of materials that this compares. */
const Bill = v.object({
  components: v.array(
    v.object({
      name: v.string(),
      version: v.string(),
      licenses: v.tuple([v.object({ license: v.object({ id: v.string() }) })]),
      properties: v.array(v.object({ value: v.string() })),
    }),
  ),
});

/** Responds with the token that each of its gRPC clients would send; calls to the local services carry none. */
const credentials = {
  name: "credentials",
  source: `
    import { http } from "@google-cloud/functions-framework";
    import { Firestore } from "@google-cloud/firestore";
    import { IAMCredentialsClient } from "@google-cloud/iam-credentials";
    import { CloudTasksClient } from "@google-cloud/tasks";
    http("credentials", async (_request, response) => {
      const clients = [new CloudTasksClient(), new IAMCredentialsClient(), new Firestore.v1.FirestoreClient()];
      const tokens = clients.map(async ({ auth }) => [await auth.getUniverseDomain(), new Headers(await auth.getRequestHeaders()).get("authorization")]);
      response.json(await Promise.all(tokens));
    });`,
};

/** Uses each client like the workers do. */
const clients = {
  name: "clients",
  source: `
    import { http } from "@google-cloud/functions-framework";
    import { openExports } from "./shared/google/storage.ts";
    import { openTaskQueue } from "./shared/google/cloud-tasks.ts";
    import { openUrlSigner } from "./shared/google/url-signer.ts";
    import { openTopic } from "./shared/google/pubsub.ts";
    import { openWarehouse } from "./shared/google/bigquery.ts";
    import { statement } from "./shared/google/statement.ts";
    import * as v from "valibot";
    import { config } from "./shared/runtime/config.ts";
    http("clients", async (request, response) => {
      const exports = openExports(config());
      const message = { job_id: crypto.randomUUID(), attempt: 1, step: 1 };
      const file = request.path.slice(1) + "/" + message.job_id + "/manifest.json";
      await openTaskQueue(config()).enqueue(message.job_id, message);
      await openTaskQueue(config()).enqueue(message.job_id, message);
      await openTopic(config()).publish(message);
      await exports.writeJson(file, {});
      const written = await exports.list(file);
      const account = "storage-" + request.path.split("/")[2] + "@" + config().accountsProjects[0] + ".iam.gserviceaccount.com";
      const from = new Date(Math.floor(Date.now() / 1000) * 1000);
      const [url] = await openUrlSigner(config()).sign(account, [file], { from, until: new Date(from.getTime() + 60_000) });
      const read = await (await fetch(url)).json();
      await exports.remove(file, () => true);
      const rows = await openWarehouse(config()).query(statement(v.object({ one: v.number() }), "SELECT 1 AS one", {}), { customer: "all" });
      response.json({ written: written.map(({ name }) => name), read, left: await exports.list(file), rows });
    });`,
};

beforeAll(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  for (const bundle of await makeBundles(root, [...functionEntries(root), credentials, clients])) bundles.set(bundle.name, bundle);
});

/** Puts a function's bundle where nothing is installed, starts it as its service does, and sends it a request. */
async function withBundle<T>(
  name: string,
  asking: (bundle: RunningBundle) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = unpack(filesOf(name));
  try {
    const bundle = await startBundle(folder, name, { ...environment, ...more });
    return await asking(bundle).finally(() => bundle.stop());
  } finally {
    removeFolder(folder);
  }
}

function filesOf(name: string): Files {
  const bundle = bundles.get(name);
  if (!bundle) throw new Error(`There is no bundle of ${name}`);
  return bundle.files;
}

const withKey = catalogue.filter(({ auth }) => auth !== "none");
const isPublic = catalogue.filter(({ auth }) => auth === "none");
const named = (trigger: string) => manifest.filter((entry) => entry.trigger === trigger).map(({ name }) => name);

it("there is a bundle for each function of the manifest", () => {
  expect([...bundles.keys()]).toEqual([...manifest.map(({ name }) => name), credentials.name, clients.name]);
});

describe.each(withKey.map((endpoint) => [endpoint.name, endpoint] as const))("the bundle of %s", (name, endpoint) => {
  it("alone in a folder responds like the function, and with 401 without a key", async () => {
    const [theirs, ours] = await Promise.all([newCustomer({ keys }), newCustomer({ keys })]);
    const { method, path, body } = sampleRequest(endpoint, theirs.uid);
    const expected = await call(endpoint.api, method, path, { key: keyOf(theirs, "all"), body });
    await withBundle(name, async ({ ask }) => {
      const asked = sampleRequest(endpoint, ours.uid);
      expect(await ask(asked)).toMatchObject({ status: 401 });
      const answer = await ask({ ...asked, headers: { "x-api-key": keyOf(ours, "all") } });
      expect(answer.status, answer.text).toBe(expected.status);
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(Object.keys(JSON.parse(answer.text || "{}"))).toEqual(Object.keys(Object(expected.body)));
    });
  });
});

describe.each(isPublic.map((endpoint) => [endpoint.name, endpoint] as const))("the bundle of %s", (name, endpoint) => {
  it("alone in a folder responds like the function", async () => {
    const { method, path } = endpoint;
    const answer = await withBundle(name, ({ ask }) => ask({ method, path }));
    const own = await fetch(`${ready[`${endpoint.api}_base_url`]}${path}`, { method });
    expect(answer).toEqual({ status: 200, text: await own.text() });
  });
});

it.each(named("topic"))("the bundle of %s acknowledges a message about a job that does not exist", async (name) => {
  expect(await withBundle(name, ({ ask }) => ask(unknownJob))).toEqual({ status: 204, text: "" });
});

it.each(named("schedule"))("the bundle of %s runs when the schedule calls it", async (name) => {
  expect(await withBundle(name, ({ ask }) => ask(scheduled))).toEqual({ status: 200, text: "" });
});

it("the gRPC clients in a bundle use the token of the function's service account", async () => {
  const answer = await withBundle(credentials.name, ({ ask }) => ask({ method: "GET", path: "/" }));
  const each = ["googleapis.com", expect.stringMatching(/^Bearer ya29\./)];
  expect({ ...answer, text: JSON.parse(answer.text) }).toEqual({ status: 200, text: [each, each, each] });
});

it.each([
  ["", {}],
  [
    ", with the variables that switch on the clients' own logs and spans",
    { GOOGLE_SDK_NODE_LOGGING: "all", GOOGLE_SDK_NODE_ENABLE_TRACING: "true" },
  ],
])("the clients in a bundle queue, publish, write, list, sign URLs, remove and query%s", async (_with, more) => {
  const { uid } = await newCustomer();
  const answer = await withBundle(clients.name, ({ ask }) => ask({ method: "POST", path: `/results/${uid}` }), more);
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.parse(answer.text)).toEqual({ written: ["manifest.json"], read: {}, left: [], rows: [{ one: 1 }] });
});

it("a function has connected to Firestore before its first request", async () => {
  const server = createServer();
  const called = new Promise<string>((resolve) => server.once("stream", (_stream, headers) => resolve(headers[":path"] ?? "")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const folder = unpack(filesOf("customers-me"));
  const address = v.parse(v.object({ port: v.number() }), server.address());
  const bundle = await startBundle(folder, "customers-me", { ...environment, FIRESTORE_EMULATOR_HOST: `127.0.0.1:${address.port}` });
  try {
    expect(await called).toBe("/google.firestore.v1.Firestore/GetDocument");
  } finally {
    await bundle.stop();
    server.close();
    removeFolder(folder);
  }
});

it("the bill of materials names every package whose licence a bundle brings", () => {
  const listed = v.parse(Bill, JSON.parse(sbom([...bundles.values()], readLock(new URL("..", import.meta.url)))));
  const named = listed.components.flatMap(({ name, version, licenses: [{ license }], properties }) =>
    properties.map(({ value }) => `${value}: ${name} ${version} (${license.id})`),
  );
  const brought = [...bundles.values()].flatMap(({ name, files }) =>
    [...(files.get("LICENSES.txt") ?? "").matchAll(/^\S+ \d\S* \(\S+\)$/gm)].map(([title]) => `${name}: ${title}`),
  );
  expect(named.sort()).toEqual(brought.sort());
});
