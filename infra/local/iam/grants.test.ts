import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import showMap from "../../../functions/maps/show.ts";
import { datasetDefinitions } from "../../../scripts/admin/local/dataset-definitions.ts";
import { openInteractiveWarehouse } from "../../../shared/budgets/interactive-warehouse.ts";
import { openCustomerUsage } from "../../../shared/customer-deletion/usage.ts";
import { openWarehouse } from "../../../shared/google/bigquery.ts";
import { openTaskQueue } from "../../../shared/google/cloud-tasks.ts";
import { firestore, usageFirestore } from "../../../shared/google/firestore.ts";
import { openIamCredentials } from "../../../shared/google/iam-credentials.ts";
import { openMeasurementsTopic, openTopic } from "../../../shared/google/pubsub.ts";
import { statement } from "../../../shared/google/statement.ts";
import { openExports } from "../../../shared/google/storage.ts";
import { openUrlSigner } from "../../../shared/google/url-signer.ts";
import { openCustomerTables } from "../../../shared/realtime/customer-tables.ts";
import { openMonitoredMaps } from "../../../shared/realtime/monitored-maps-table.ts";
import { type Config, parseConfig } from "../../../shared/runtime/config.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../testing/engines/warehouse-under-test.ts";
import { serveInProcess } from "../../testing/in-process.ts";
import { at } from "../../testing/realtime-warehouse.ts";
import { startFirestore } from "../firestore/start.ts";
import { SCOPES } from "../identity.ts";
import { startPubSub } from "../pubsub/server.ts";
import type { LocalServer } from "../server.ts";
import { startStorage } from "../storage/server.ts";
import { makeTables } from "../tables.ts";
import { startTasks } from "../tasks/server.ts";
import { startIam } from "./credentials.ts";

const PROJECT = "demo-local";
const UID = "acmemobi";
const emailOf = (name: string): string => `${name}@${PROJECT}.iam.gserviceaccount.com`;
const folder = mkdtempSync(join(tmpdir(), "populus-grants-"));
const hour = { from: new Date(Math.floor(Date.now() / 1000) * 1000), until: new Date(Math.floor(Date.now() / 1000) * 1000 + 3_600_000) };
const RESERVATION = "projects/slots-admin/locations/europe-north1/reservations/interactive";
const one = statement(v.object({ rows_there: v.number() }), "SELECT COUNT(*) AS rows_there FROM `mobility.coverage`", {});

let warehouse: WarehouseUnderTest;
let servers: LocalServer[] = [];
let environment: Record<string, string> = {};

beforeAll(async () => {
  warehouse = await startWarehouseUnderTest({ startAt: Date.now() });
  await makeTables(warehouse);
  for (const { sql } of datasetDefinitions(UID).scripts) await warehouse.applyDdl(sql);
  const { identity } = warehouse;
  for (const name of ["queue", `storage-${UID}`, `warehouse-${UID}`]) identity.addAccount(emailOf(name));
  const queue = `projects/${PROJECT}/locations/europe-north1/queues/aggregations`;
  const [database, tasks, pubsub, iam, storage] = await Promise.all([
    startFirestore({ project: PROJECT, identity }),
    startTasks({ identity, queues: [queue] }),
    startPubSub({ identity }),
    startIam({ identity }),
    startStorage({ directory: folder, buckets: ["exports"], identity }),
  ]);
  servers = [database, tasks, pubsub, iam, storage, warehouse];
  for (const topic of ["aggregations", "measurements"])
    await fetch(`http://${pubsub.address}/v1/projects/${PROJECT}/topics/${topic}`, { method: "PUT" });
  environment = {
    ...{ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports", PUBSUB_REST_URL: `http://${pubsub.address}` },
    ...{ TASKS_ADDRESS: tasks.address, IAM_CREDENTIALS_ADDRESS: iam.address },
    ...{ STORAGE_URL: `http://${storage.address}`, BIGQUERY_URL: warehouse.origin },
  };
  Object.assign(process.env, {
    FIRESTORE_EMULATOR_HOST: database.address,
    PUBSUB_EMULATOR_HOST: pubsub.address,
    METADATA_SERVER_DETECTION: "none",
  });
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
});

let accounts = 0;

/** Returns the configuration of a function with these grants and no others. */
function withGrants(grants: readonly string[]): Config {
  const email = emailOf(`fn-test-${accounts++}`);
  warehouse.identity.addFunction(email, grants);
  return parseConfig({ ...environment, ACCESS_TOKEN: warehouse.identity.mint(email, [SCOPES.cloudPlatform], 3600).accessToken });
}

const mintAs = (account: string) => (config: Config) =>
  openIamCredentials(config).generateAccessToken(emailOf(`${account}-${UID}`), SCOPES.storageRead);
const signAs = (account: string) => (config: Config) => openUrlSigner(config).sign(emailOf(`${account}-${UID}`), ["results/a"], hour);
const monitoredMap = {
  ...{ map_id: "m", uid: UID, name: "M", version: 1, is_monitored: true, country_code: "EST", geo_type: "grid_250m", geo_ids: [1] },
  ...{ geometry_hash: null, cell_parts: null, appended_at: at(0).toISOString() },
};
const headcount = { tick: at(0).toISOString(), timestamp: at(0).toISOString(), uid: UID, target_id: "m", target_name: "M" };

/** What a function does, the refusal when each of the grants that it takes is missing, and grants that do not help. */
const DEEDS: Readonly<Record<string, readonly [does: (config: Config) => Promise<unknown>, takes: object, others?: readonly string[]]>> = {
  "lists what is stored": [(config) => firestore(config).listCollections(), { read_store: "datastore.entities.list" }, ["usage"]],
  "writes a key": [
    (config) => firestore(config).collection("apiKeys").doc("0").set({}),
    { store: "datastore.entities.create" },
    ["read_store", "usage"],
  ],
  "notes a use": [(config) => usageFirestore(config).doc(`customers/${UID}/keyUses/a`).set({}), { usage: "datastore.entities" }, ["store"]],
  "forgets the uses": [(config) => openCustomerUsage(config).remove(UID), { usage: "datastore.entities.list" }, ["store"]],
  "enqueues a task": [
    (config) => openTaskQueue(config).enqueue(`a${accounts}`, {}, new Date(Date.now() + 3_600_000)),
    { queue: '"cloudtasks.tasks.create"', queue_account: '"iam.serviceAccounts.actAs" for the resource "queue@' },
  ],
  "publishes a job": [(config) => openTopic(config).publish({}), { topic: "pubsub.topics.publish" }, ["measurements_topic"]],
  "asks for a measurement": [
    (config) => openMeasurementsTopic(config).publish({}),
    { measurements_topic: "pubsub.topics.publish" },
    ["topic"],
  ],
  "mints a token": [mintAs("warehouse"), { tokens: "iam.serviceAccounts.getAccessToken" }, ["signatures", "queue_account"]],
  "signs a URL": [signAs("storage"), { signatures: "iam.serviceAccounts.signBlob" }, ["tokens", "queue_account"]],
  "lists files": [(config) => openExports(config).list("results/"), { exports: "storage.objects.list" }, ["signatures"]],
  "counts facts": [
    (config) => openWarehouse(config).queryOne(one, { customer: "all" }),
    { warehouse_jobs: "bigquery.jobs.create", read_facts: "permission to query table demo-local:mobility.coverage" },
    ["read_presence"],
  ],
  "asks in the reservation for interactive queries": [
    (config) =>
      openInteractiveWarehouse({ ...config, interactiveReservation: RESERVATION }, () => new Date()).dryRun(one, { customer: UID }),
    {
      ...{ warehouse_jobs: "bigquery.jobs.create", read_facts: "permission to query table demo-local:mobility.coverage" },
      use_reservation: "bigquery.reservations.use denied on reservation slots-admin:europe-north1.interactive",
    },
  ],
  "monitors a map": [
    (config) => openMonitoredMaps(config).append(monitoredMap),
    { write_monitored_maps: "bigquery.tables.updateData" },
    ["read_monitored_maps", "write_headcounts"],
  ],
  "loads a customer's table": [
    async (config) => {
      const rows = [{ ...headcount, people_count: 20, result: "SUCCESS" as const }];
      const outcome = await openCustomerTables(config).load(
        { dataset: "realtime_eu", uid: UID, fill: undefined },
        `load_${accounts}`,
        rows,
      );
      expect(outcome).toEqual({ state: "done" });
    },
    { warehouse_jobs: "bigquery.jobs.create", write_customer_tables_eu: "bigquery.tables.create" },
    ["write_customer_tables", "write_headcounts"],
  ],
  "lists the customers' tables": [
    (config) => openCustomerTables(config).list(),
    { write_customer_tables: "bigquery.tables.list", write_customer_tables_eu: "bigquery.tables.list" },
    ["read_headcounts"],
  ],
  "drops a customer's tables": [
    (config) => openCustomerTables(config).drop("nobody00"),
    { write_customer_tables: "bigquery.tables.delete", write_customer_tables_eu: "bigquery.tables.delete" },
    ["write_headcounts"],
  ],
};

// The client tries refused reads for some seconds, so these run at once.
describe.concurrent("a function", () => {
  it.each(Object.entries(DEEDS))("that %s is refused without each grant that this takes, and not with them", async (_what, deed) => {
    const [does, takes, others = []] = deed;
    const grants = Object.keys(takes);
    for (const [lacking, refusal] of Object.entries(takes)) {
      const config = withGrants([...grants.filter((grant) => grant !== lacking), ...others]);
      await expect(does(config), lacking).rejects.toThrow(refusal);
    }
    await does(withGrants(grants));
  });

  it.each([
    [
      "mint as another function",
      (config: Config) => openIamCredentials(config).generateAccessToken(emailOf("fn-test-0"), SCOPES.storageRead),
    ],
    ["mint as the queue", (config: Config) => openIamCredentials(config).generateAccessToken(emailOf("queue"), SCOPES.storageRead)],
    ["sign as a customer's warehouse account", signAs("warehouse")],
  ])("with all grants cannot %s", async (_what, does) => {
    await expect(does(withGrants(["tokens", "signatures", "queue_account"]))).rejects.toThrow("PERMISSION_DENIED");
  });

  it("is refused in a database that the functions are not pointed at, even a copy, until they are", async () => {
    const config = withGrants(["store"]);
    const write = () =>
      firestore({ ...config, databases: { main: "restored", usage: "usage" } })
        .doc("a/b")
        .set({});
    await expect(write()).rejects.toThrow(
      "Permission 'datastore.entities.create' denied on resource 'projects/demo-local/databases/restored'",
    );
    warehouse.identity.grantDatabases({ main: ["(default)", "restored"], usage: ["usage"] });
    await write();
  });

  it("without a grant that its code needs fails, and its log has the platform's words", async () => {
    const key = { uid: UID, keyLabel: "main", service: "storage", scopes: [], countries: ["EST"], defaultCountry: "EST" } as const;
    const findKey = async () => ({ ...key, machineAccountAdmin: false });
    const served = await serveInProcess({ endpoint: showMap, config: withGrants(["usage"]), findKey });
    const { status } = await served.call({ key: "0".repeat(64), path: "/admin/maps/00000000000000000000" });
    await served.close();
    const failure = served.logged.find((line) => line.includes("Request failed"));
    expect([status, failure]).toEqual([500, expect.stringContaining("PERMISSION_DENIED: Missing or insufficient permissions.")]);
    expect(failure).toContain("Permission 'datastore.entities.get' denied on resource 'projects/demo-local/databases/(default)'");
  });
});
