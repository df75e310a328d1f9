import { afterAll, beforeAll, expect, it } from "vitest";
import { keyHash } from "../../../shared/accounts/api-key.ts";
import { createCustomer } from "../../../shared/accounts/customer-lifecycle.ts";
import { DEFAULT_LIMITS } from "../../../shared/accounts/customers.ts";
import { createKey, openMachineAccounts } from "../../../shared/accounts/machine-accounts.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { openMaps } from "../../../shared/maps/maps.ts";
import { snapshotRows } from "../../../shared/realtime/snapshots.ts";
import { parseConfig } from "../../../shared/runtime/config.ts";
import { startGoogleFirestore } from "../../local/google/firestore.ts";
import type { LocalServer } from "../../local/server.ts";

const PROJECT = "demo-rotations";
const config = parseConfig({ GOOGLE_CLOUD_PROJECT: PROJECT, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
const grants = { service: "storage", scopes: [], machineAccountAdmin: true, countries: ["EST"] } as const;
let server: LocalServer;

beforeAll(async () => {
  server = await startGoogleFirestore({ project: PROJECT });
  Object.assign(process.env, { FIRESTORE_EMULATOR_HOST: server.address, METADATA_SERVER_DETECTION: "none" });
});

afterAll(async () => {
  await firestore(config).terminate();
  await server.close();
});

/** Google's locks are pessimistic: transactions at once on the same documents abort each other, and their clients pause for seconds. */
it("ten rotations of one label at once need one transaction each, and leave one key", async () => {
  const db = firestore(config);
  await createCustomer(db, "urbti6mler2f", { name: "Acme", countries: ["EST"], defaultCountry: "EST", limits: DEFAULT_LIMITS });
  const making = { uid: "urbti6mler2f", environment: "local", now: new Date(), decide: () => grants };
  const { apiKey } = await createKey(db, { ...making, keyLabel: "admin" });
  const key = { id: keyHash("local", apiKey), assertHeld: () => undefined, confirm: async () => undefined };
  const accounts = openMachineAccounts(config);
  let decisions = 0;
  const decide = () => {
    decisions += 1;
    return grants;
  };
  const rotate = () => accounts.createOrRotate(making.uid, "contended", new Date(), decide, key);
  const made = await Promise.all(Array.from({ length: 10 }, rotate));
  expect(made.filter((key) => key !== undefined)).toHaveLength(10);
  expect(decisions).toBe(10);
  const { docs } = await db.collection("apiKeys").where("keyLabel", "==", "contended").get();
  expect(docs).toHaveLength(1);
});

it("changes of ten maps of a customer at once need one transaction each", async () => {
  const uid = "uabcdefghij2";
  await createCustomer(firestore(config), uid, { name: "Globex", countries: ["EST"], defaultCountry: "EST", limits: DEFAULT_LIMITS });
  const maps = openMaps(config, snapshotRows);
  const now = new Date();
  const map = {
    type: "admin_level_2" as const,
    geometry: null,
    ids: [784],
    countryCode: "EST",
    uid,
    owner: `main@${uid}`,
    name: "Map",
    description: "",
    isMonitored: false,
    version: 1,
    createdAt: now,
  };
  const made = await Promise.all(Array.from({ length: 10 }, () => maps.create(map, "service")));
  let changes = 0;
  const rename = (id: string) =>
    maps.update({ uid, id, actor: "service", now }, (present) => {
      changes += 1;
      return { ...present, name: "Renamed" };
    });
  const renamed = await Promise.all(made.map((one) => rename("id" in one ? one.id : "")));
  expect(renamed.map((one) => one && "name" in one && one.name)).toEqual(made.map(() => "Renamed"));
  expect(changes).toBe(10);
});
