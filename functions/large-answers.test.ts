import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { keyOf, newCustomer, ready, runJob } from "../infra/testing/service.ts";
import { peakMib } from "../scripts/bench/process-memory.ts";
import { type Bundle, makeBundles, START_FILE } from "../scripts/bundle/bundles.ts";
import { functionEntries } from "../scripts/bundle/functions.ts";
import { removeFolder, SERVICE_COMMAND, startBundle, unpack } from "../scripts/bundle/testing/running-bundle.ts";
import { DEFAULT_LIMITS } from "../shared/accounts/customers.ts";
import { JobListResponse } from "../shared/aggregation/job-list-schemas.ts";

const JOBS = 25;
const environment = inject("environment");
const bundles = new Map<string, Bundle>();
const db = new Firestore({ projectId: ready.project });

beforeAll(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const entries = functionEntries(root).filter(({ name }) => name === "maps-list" || name === "aggregation-jobs");
  for (const bundle of await makeBundles(root, entries)) bundles.set(bundle.name, bundle);
});

afterAll(() => db.terminate());

/** Returns the memory of an endpoint's instance in MiB, and how many requests it takes at once. */
function instance(): { readonly memory: number; readonly concurrency: number } {
  const kinds = readFileSync(new URL("../terraform/modules/catalogue/kinds.tf", import.meta.url), "utf8");
  const [, concurrency, memory] = /^ +endpoint = \{.* concurrency = (\d+),.* memory = "(\d+)Mi"/m.exec(kinds) ?? [];
  return { memory: Number(memory), concurrency: Number(concurrency) };
}

/** Asks an instance of a function for a path as often at once as it takes requests, and once as another customer. Returns all answers. */
async function asked(name: string, path: string, key: string) {
  const { memory, concurrency } = instance();
  const other = keyOf(await newCustomer());
  const folder = unpack(bundles.get(name)?.files ?? new Map());
  // Node.js allows its old objects half of a container's memory.
  const heap = `--max-old-space-size=${memory / 2}`;
  const command = [...SERVICE_COMMAND, heap, START_FILE, `--target=${name}`, `--source=${name}.cjs`];
  const bundle = await startBundle(folder, name, environment, command);
  try {
    const ask = (as: string) => bundle.ask({ method: "GET", path, headers: { "x-api-key": as } });
    await ask(other);
    const large = Array.from({ length: concurrency - 1 }, () => ask(key));
    const small = await ask(other);
    const answers = await Promise.all(large);
    if (process.platform === "linux") expect(peakMib(bundle.pid)).toBeLessThan(memory);
    return { answers, small };
  } finally {
    await bundle.stop();
    removeFolder(folder);
  }
}

// A customer stores as much as it may and asks for all of it, as often at once as an instance takes requests. The instance has the memory of its service,
// and others' requests.
describe("an instance answers all that one customer can ask for at once, and the others", () => {
  it("with lists of as much geometry as a customer may store", async () => {
    const { uid, keys } = await newCustomer();
    const shape = "POLYGON((24.7 59.43, 24.71 59.43, 24.71 59.44, 24.7 59.44, 24.7 59.43))";
    const geometry = shape.padEnd(256 * 1024);
    const map = {
      uid,
      geometry,
      owner: "x",
      description: "",
      type: "custom_polygon",
      ids: null,
      countryCode: null,
      isMonitored: false,
      version: 1,
    };
    for (let made = 0; made < DEFAULT_LIMITS.geometryBytes / geometry.length; made++)
      await db.collection("maps").add({ ...map, name: `map ${made}`, createdAt: new Date(2026, 0, 1, 0, made) });
    const { answers, small } = await asked("maps-list", "/admin/maps", keys.storage ?? "");
    expect(answers.map(({ status, text }) => [status, text.length])).toEqual(answers.map(() => [200, answers[0]?.text.length]));
    expect(answers[0]?.text.length).toBeGreaterThan(7 * 1024 * 1024);
    expect(small).toEqual({ status: 200, text: '{"maps":[]}' });
  });

  it("with lists of jobs that name as many geographies as they may", async () => {
    const customer = await newCustomer();
    const ids = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + 7 * index);
    const odm = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" };
    const window = { start_time: "2020-01-01", end_time: "2020-01-02" };
    const { id } = await runJob(keyOf(customer), { ...odm, ...window, origin_geo_ids: ids, destination_geo_ids: ids });
    const job = (await db.collection("jobs").doc(id).get()).data();
    expect(job).toMatchObject({ request: { origin_geo_ids: ids } });
    for (let jobs = 1; jobs < JOBS; jobs++)
      await db
        .collection("jobs")
        .doc(randomUUID())
        .set({ ...job });
    const { answers, small } = await asked("aggregation-jobs", "/data-agg/jobs?limit=100", keyOf(customer));
    for (const { status, text } of answers) {
      expect(status, text).toBe(200);
      expect(v.parse(JobListResponse, JSON.parse(text)).jobs).toHaveLength(JOBS);
    }
    expect(JSON.parse(small.text)).toEqual({ jobs: [], next_cursor: null });
  });
});
