import { createServer } from "node:http";
import login from "../../../functions/auth/login.ts";
import { openKeyFinder } from "../../../shared/accounts/api-keys.ts";
import { createAuthenticate } from "../../../shared/accounts/authenticate.ts";
import { createCustomer } from "../../../shared/accounts/customer-lifecycle.ts";
import { openCustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import type { Grants } from "../../../shared/accounts/key-grants.ts";
import { openKeyAdmin, revokeKey } from "../../../shared/accounts/keys-admin.ts";
import { createKey, openMachineAccounts } from "../../../shared/accounts/machine-accounts.ts";
import { openPersonalDatasets } from "../../../shared/accounts/personal-dataset.ts";
import { newOdmJob } from "../../../shared/aggregation/testing/job-path.ts";
import { firestore } from "../../../shared/google/firestore.ts";
import { unknownKey } from "../../../shared/http/admit.ts";
import type { HeldKey } from "../../../shared/http/caller.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../../shared/http/errors.ts";
import { serve } from "../../../shared/http/serve.ts";
import { cancel } from "../../../shared/jobs/job-state.ts";
import { openJobs } from "../../../shared/jobs/jobs.ts";
import { openMaps } from "../../../shared/maps/maps.ts";
import { snapshotRows } from "../../../shared/realtime/snapshots.ts";
import { type Config, parseConfig } from "../../../shared/runtime/config.ts";
import { listen } from "../../local/server.ts";

const NOW = new Date("2026-01-15T12:00:00Z");
const LATER = "00000000-0000-4000-8000-000000000002";
const GRANTS = { service: "warehouse", scopes: ["realtime"], countries: ["EST"], machineAccountAdmin: true } as const satisfies Grants;
const ALLOW = { scopes: ["realtime"], profiles: ["storage", "warehouse"] } as const;
const SHAPE = { type: "admin_level_2", geometry: null, ids: [784], countryCode: "EST" } as const;

/** A key that its request found, and that was revoked since. */
const REVOKED: HeldKey = {
  id: "f".repeat(64),
  assertHeld: (present) => {
    if (!present) throw unknownKey();
  },
  confirm: async () => {
    throw unknownKey();
  },
};

/**
 * Writes of requests whose key was revoked after they were admitted, and a login whose key is revoked while its token is minted. Each uses
 * the real stores in the Firestore of FIRESTORE_EMULATOR_HOST, whose `project` must be empty. Returns those that got through.
 */
export async function lateWrites(project: string): Promise<string[]> {
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: project, ENVIRONMENT: "local", EXPORT_BUCKET: "exports" });
  const db = firestore(config);
  try {
    const through: string[] = [];
    for (const [what, attempt] of Object.entries(await writes(config))) if (!(await isRefused(attempt))) through.push(what);
    if (await isTokenAnswered(config)) through.push("a token is answered");
    return through;
  } finally {
    await db.terminate();
  }
}

/** Makes a customer with what the writes change. */
async function writes(config: Config): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const uid = "customer1";
  const db = firestore(config);
  await createCustomer(db, uid, { name: "Late", countries: ["EST"], defaultCountry: "EST", allow: ALLOW });
  for (const keyLabel of ["main", "second", "third"])
    await createKey(db, { uid, keyLabel, environment: config.environment, now: NOW, decide: () => GRANTS });
  const maps = openMaps(config, snapshotRows);
  const jobs = openJobs(config);
  const accounts = openMachineAccounts(config);
  const keys = openKeyAdmin(config);
  const datasets = openPersonalDatasets(config);
  const map = {
    uid,
    owner: `main@${uid}`,
    name: "Map",
    description: "",
    isMonitored: false,
    version: 1,
    createdAt: NOW,
    ...SHAPE,
    ids: [784],
  };
  const made = await maps.create(map, "service");
  const id = "id" in made ? made.id : "";
  const counted = { ...SHAPE, cells: 1, countries: ["EST"] };
  const submitted = await jobs.submit(uid, {
    now: NOW,
    make: (placed) => newOdmJob("00000000-0000-4000-8000-000000000001", uid, false, placed, NOW),
  });
  if (submitted.outcome !== "created") throw new Error(`The job is not there to be cancelled: ${submitted.outcome}`);
  const asked = (keyLabel: string) => ({ uid, keyLabel, asker: REVOKED, now: NOW });
  const change = { uid, id, actor: REVOKED, now: NOW };
  const later = (placed: boolean) => newOdmJob(LATER, uid, false, placed, NOW);
  return {
    "a map is created": () => maps.create(map, REVOKED),
    "a map is changed": () => maps.update(change, (present) => ({ ...present, name: "Renamed" })),
    "a map is monitored": () => maps.setMonitored({ ...change, isMonitored: true, counted }),
    "a map is deleted": () => maps.remove(change),
    "a job is submitted": async () => {
      const submission = await jobs.submit(uid, { now: NOW, make: later, actor: REVOKED });
      if (submission.outcome === "keyRefused") throw submission.refusal;
    },
    "a job is cancelled": () => jobs.transition(submitted.job, (job) => cancel(job, NOW), NOW, REVOKED),
    "a machine account is created": () => accounts.createOrRotate(uid, "new", NOW, () => GRANTS, REVOKED),
    "a key is rotated": () => accounts.createOrRotate(uid, "second", NOW, () => GRANTS, REVOKED),
    "a machine account is changed": () => keys.change(asked("main"), (present) => ({ ...present, scopes: [] })),
    "a machine account is removed": () => keys.revoke(asked("third")),
    "a personal dataset is requested": () => datasets.request(uid, REVOKED, NOW),
  };
}

/** Returns whether an attempt is refused as one without a key. Throws what has another cause. */
async function isRefused(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "unauthenticated") return true;
    throw error;
  }
}

/** Logs in over HTTP with a key that is revoked after its token was minted. Returns whether the token is answered. */
async function isTokenAnswered(config: Config): Promise<boolean> {
  const uid = "customer2";
  const db = firestore(config);
  await createCustomer(db, uid, { name: "Late", countries: ["EST"], defaultCountry: "EST" });
  const { environment } = config;
  const { apiKey } = await createKey(db, { uid, keyLabel: "main", environment, now: NOW, decide: () => GRANTS });
  const mint = async () => {
    await revokeKey(db, { uid, keyLabel: "main", lastAdminMayGo: true, now: NOW });
    return { accessToken: "minted", expireTime: NOW };
  };
  const endpoint = defineEndpoint({ ...login, dependencies: () => ({ tokens: { mint }, customers: openCustomerDetails(config) }) });
  const authenticate = createAuthenticate({ environment, findKey: openKeyFinder(config), recordUse: () => undefined });
  const handler = serve(endpoint, { config, authenticate, log: () => undefined, now: () => NOW });
  const server = createServer((request, response) => void handler(request, response));
  try {
    const url = `http://127.0.0.1:${await listen(server)}${login.path}`;
    const { status } = await fetch(url, { method: "POST", headers: { "x-api-key": apiKey } });
    if (status !== 200 && status !== 401) throw new Error(`The login returned ${status}`);
    return status === 200;
  } finally {
    server.close();
  }
}
