import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BigQuery } from "@google-cloud/bigquery";
import { Firestore } from "@google-cloud/firestore";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import type { LocalServer } from "../infra/local/server.ts";
import { startAnswersTogether } from "../infra/testing/faults/answers-together.ts";
import { keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import type { LocalCustomer } from "../scripts/admin/local/customers.ts";
import { peakMib } from "../scripts/bench/process-memory.ts";
import { makeBundles, START_FILE } from "../scripts/bundle/bundles.ts";
import { functionEntries } from "../scripts/bundle/functions.ts";
import { removeFolder, SERVICE_COMMAND, startBundle, unpack } from "../scripts/bundle/testing/running-bundle.ts";
import { DEFAULT_LIMITS } from "../shared/accounts/customers.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SQUARE = "POLYGON((24.7 59.43, 24.71 59.43, 24.71 59.44, 24.7 59.44, 24.7 59.43))";
const MAP = { geometry: SQUARE.padEnd(256 * 1024), type: "custom_polygon", ids: null, countryCode: null, isMonitored: false, version: 1 };
/** A country whose geographies no other test loads. */
const COUNTRY = "NOR";
/** The geographies of these tests, whose ids no others have: those of cells have 14 digits. */
const FIRST_ID = 900_000_000;
const GEOGRAPHIES = 5000;
/** The corners of an outline of 250 KB: a page has eight. */
const OUTLINE_CORNERS = 12_000;
/** A day before those of the sample. */
const DAY = "2024-06-10";
const db = new Firestore({ projectId: ready.project });

afterAll(() => db.terminate());

/** Returns the memory of an instance of an endpoint in MiB, and how many requests it takes at once. */
function instanceOf(name: string): { readonly memory: number; readonly concurrency: number } {
  const catalogue = (file: string): string => readFileSync(new URL(`../terraform/modules/catalogue/${file}`, import.meta.url), "utf8");
  const [, previews = ""] = /^ +previews = \[(.*)\]$/m.exec(catalogue("functions.tf")) ?? [];
  const kind = previews.includes(`"${name}"`) ? "preview" : "endpoint";
  const cells = new RegExp(`^ +${kind} += \\{.* concurrency = (\\d+),.* memory = "(\\d+)([GM])i"`, "m");
  const [, concurrency, memory, unit] = cells.exec(catalogue("kinds.tf")) ?? [];
  return { memory: Number(memory) * (unit === "G" ? 1024 : 1), concurrency: Number(concurrency) };
}

/**
 * Asks a function's instance as many times at once as it takes requests, the last time as another customer. Returns the length of the longest answer,
 * the instance's memory and the process's peak, MiB.
 */
async function askAtOnce(
  name: string,
  path: string,
  of: { readonly customer: LocalCustomer; readonly environment: Record<string, string> },
) {
  const other = await newCustomer({ countries: [COUNTRY], defaultCountry: COUNTRY });
  const [bundle] = await makeBundles(
    ROOT,
    functionEntries(ROOT).filter((entry) => entry.name === name),
  );
  const folder = unpack(bundle?.files ?? new Map());
  const { memory, concurrency } = instanceOf(name);
  // Node.js allows its old objects half of a container's memory.
  const command = [...SERVICE_COMMAND, `--max-old-space-size=${memory / 2}`, START_FILE, `--target=${name}`, `--source=${name}.cjs`];
  const running = await startBundle(folder, name, of.environment, command);
  try {
    const ask = (key: string) => running.ask({ method: "GET", path, headers: { "x-api-key": key } });
    await ask(keyOf(other));
    const keys = Array.from({ length: concurrency }, (_, index) => keyOf(index === concurrency - 1 ? other : of.customer));
    const answers = await Promise.all(keys.map(ask));
    // On a slow machine some wait too long for their turn.
    for (const { status, text } of answers) expect([200, 503], text.slice(0, 300)).toContain(status);
    return { longest: Math.max(...answers.map(({ text }) => text.length)), memory, peak: peakMib(running.pid) };
  } finally {
    await running.stop();
    removeFolder(folder);
  }
}

it("an instance has the memory for a customer's lists of as many maps as it may store, as often at once as it takes requests", async () => {
  const customer = await newCustomer();
  for (let made = 0; made < DEFAULT_LIMITS.geometryBytes / MAP.geometry.length; made++)
    await db
      .collection("maps")
      .add({ ...MAP, uid: customer.uid, owner: "x", name: `map ${made}`, description: "", createdAt: new Date(2026, 0, 1, 0, made) });
  const { longest, memory, peak } = await askAtOnce("maps-list", "/admin/maps", {
    customer,
    environment: inject("environment"),
  });
  expect(longest).toBeGreaterThan(7 * 1024 * 1024);
  // All at once would take nine tenths of it, if the process lived.
  if (process.platform === "linux") expect(peak).toBeLessThan((2 / 3) * memory);
});

describe("when the warehouse answers all requests of an instance at once", () => {
  const warehouse = new BigQuery({ projectId: ready.project, location: "europe-north1", apiEndpoint: ready.bigquery_endpoint });
  let together: LocalServer;
  let asking: { readonly customer: LocalCustomer; readonly environment: Record<string, string> };

  beforeAll(async () => {
    const environment = inject("environment");
    together = await startAnswersTogether(new URL(environment.BIGQUERY_URL ?? "").host);
    asking = {
      customer: await newCustomer({ countries: [COUNTRY], defaultCountry: COUNTRY }),
      environment: { ...environment, BIGQUERY_URL: `http://${together.address}` },
    };
  });
  afterEach(() =>
    warehouse.query(
      `DELETE FROM mobility.geographies WHERE country_code = '${COUNTRY}' AND geo_id BETWEEN ${FIRST_ID} AND ${FIRST_ID + GEOGRAPHIES}`,
    ),
  );
  afterAll(() => together?.close());

  it("it has the memory for pages of outlines as GeoJSON", async () => {
    await warehouse.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat, geometry)
      SELECT '${COUNTRY}', 'admin_level_2', ${FIRST_ID} + id, 'detailed', 10.1, 60.1,
        CONCAT('POLYGON((', REPEAT('10.123456 60.123456, ', ${OUTLINE_CORNERS}), '10.123456 60.123456))')
      FROM UNNEST(GENERATE_ARRAY(1, 10)) AS id`);
    const ids = Array.from({ length: 10 }, (_, index) => FIRST_ID + index + 1);
    const path = `/geographies?country_code=${COUNTRY}&geo_type=admin_level_2&ids=${ids}&format=geojson`;
    const { longest, memory, peak } = await askAtOnce("geographies-find", path, asking);
    expect(longest).toBeGreaterThan(2 * 1024 * 1024);
    // All at once would take half of it.
    if (process.platform === "linux") expect(peak).toBeLessThan((2 / 5) * memory);
  });

  it("it has the memory for previews of as many geographies as one may ask for, by the hour", async () => {
    await warehouse.query(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, lon, lat)
      SELECT '${COUNTRY}', 'grid_1000m', ${FIRST_ID} + id, CAST(${FIRST_ID} + id AS STRING), 8.1, 60.1 FROM UNNEST(GENERATE_ARRAY(1, ${GEOGRAPHIES})) AS id`);
    await warehouse.query(`INSERT INTO mobility.activities_hourly
      (country_code, batch_date, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices)
      SELECT '${COUNTRY}', DATE '${DAY}', 'grid_1000m', ${FIRST_ID} + id, TIMESTAMP_ADD(TIMESTAMP '${DAY}', INTERVAL hour HOUR), 12345, 12345, 12345, 12345
      FROM UNNEST(GENERATE_ARRAY(1, ${GEOGRAPHIES})) AS id, UNNEST(GENERATE_ARRAY(0, 23)) AS hour`);
    const common = { agg_type: "activities", country_code: COUNTRY, measure: "stays_dwell_minutes", activity_type: "hourly" };
    const window = { start_time: `${DAY}T00:00:00Z`, end_time: `${DAY}T23:59:59Z` };
    const path = `/data-agg?${new URLSearchParams({ ...common, ...window, geo_type: "grid_1000m", bbox: "8.09,60.09,8.11,60.11" })}`;
    try {
      const { longest, memory, peak } = await askAtOnce("aggregation-preview", path, asking);
      expect(longest).toBeGreaterThan(14 * 1024 * 1024);
      // All at once would take three quarters of it.
      if (process.platform === "linux") expect(peak).toBeLessThan(memory / 2);
    } finally {
      await warehouse.query(`DELETE FROM mobility.activities_hourly WHERE country_code = '${COUNTRY}' AND batch_date = '${DAY}'`);
    }
  });
});
