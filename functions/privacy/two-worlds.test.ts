import { dirname } from "node:path";
import * as v from "valibot";
import { expect, it } from "vitest";
import { previewPath } from "../../infra/testing/reference/answers.ts";
import { newTokenHolder, type TokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { importRows } from "../../infra/testing/reference/import-rows.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { call, ready } from "../../infra/testing/service.ts";
import { parseArguments } from "../../scripts/import/arguments.ts";
import { runImport } from "../../scripts/import/run.ts";
import { LEVEL_TYPES, placesOf } from "../../scripts/privacy/places.ts";

/** It has all types of the matrix: k is 5, and a device stands for 4.3 people. */
const COUNTRY = "NOR";
/** Two weekdays that no other test loads, a week apart: each is a world's. */
const DAYS = ["2018-06-05", "2018-06-12"] as const;
const DELETED = "deleted";
type Step = number | typeof DELETED;
/**
 * What happens in the worlds: a cell, a pair and a link are loaded with so many devices, the day is deleted, loaded again, and corrected.
 */
const STEPS: readonly (readonly [Step, Step])[] = [
  [0, 4],
  [DELETED, DELETED],
  [0, 3],
  [2, 0],
];

const Geographies = v.array(v.object({ geo_type: v.string(), geo_id: v.number(), parent_id: v.nullable(v.number()) }));
const places = placesOf(
  v.parse(Geographies, await query(`SELECT geo_type, geo_id, parent_id FROM mobility.geographies WHERE country_code = '${COUNTRY}'`)),
  0,
);
/** Three cells of a km that lies in one area; the first two are told. */
const [one, other, few] = cellsOfKm();
const [road, lane] = await links();

/** Two road links, with a point on each. */
async function links() {
  const Link = v.object({ link_id: v.number(), line: v.string() });
  const sql = `SELECT link_id, ST_ASTEXT(geometry) AS line FROM mobility.road_links WHERE country_code = '${COUNTRY}' ORDER BY link_id LIMIT 2`;
  const found = v.parse(v.array(Link), await query(sql)).map(({ link_id: id, line }) => {
    const [, lon, lat] = /\(([-\d.]+) ([-\d.]+)/.exec(line) ?? [];
    return { id, at: { lat: Number(lat), lon: Number(lon) } };
  });
  const [first, second] = found;
  if (!first || !second) throw new Error(`${COUNTRY} has no two road links`);
  return [first, second] as const;
}

function cellsOfKm(): readonly (readonly number[])[] {
  const inside = [...places.values()].filter(({ level, around }) => level === 0 && around.every((id) => id !== undefined));
  const own = [...Map.groupBy(inside, ({ around }) => around[1]).values()].find(({ length }) => length >= 3) ?? [];
  return own.map(({ around }) => around.map((id) => Number(id?.split("/")[1])));
}

/** Loads a day on which the third cell, a pair and a link have so many devices, and everything around them the same more. */
async function load(day: string, hidden: number): Promise<void> {
  const people = (devices: number): number => Math.floor(devices * 4.3);
  const areas = LEVEL_TYPES.flatMap((type, level) =>
    level === 0
      ? [[type, one?.[0], 12] as const, [type, other?.[0], 9] as const, [type, few?.[0], hidden] as const]
      : [[type, one?.[level], 21 + hidden] as const],
  ).filter(([, , devices]) => devices > 0);
  const activities = (bucket: string): string[] => [
    "country_code,geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices",
    ...areas.map(
      ([type, id, devices]) => `${COUNTRY},${type},${id},${bucket},${people(devices)},${devices},${devices * 30},${devices},${devices}`,
    ),
  ];
  await importRows("activities_daily", activities(`${day}T00:00:00+02:00`));
  await importRows("activities_hourly", activities(`${day}T10:00:00+02:00`));
  const pairs = LEVEL_TYPES.flatMap((type, level) =>
    level === 0
      ? [[type, one?.[0], other?.[0], 12] as const, [type, one?.[0], few?.[0], hidden] as const]
      : [[type, one?.[level], one?.[level], 12 + hidden] as const],
  ).filter(([, , , devices]) => devices > 0);
  await importRows("odm_daily", [
    "country_code,batch_date,origin_geo_type,origin_geo_id,destination_geo_type,destination_geo_id,trips,devices",
    ...pairs.map(([type, from, to, devices]) => `${COUNTRY},${day},${type},${from},${type},${to},${people(devices)},${devices}`),
  ]);
  await importRows("flows_hourly", [
    "country_code,link_id,time_bucket,direction,people,devices",
    ...[[road.id, 12] as const, [lane.id, hidden] as const]
      .filter(([, devices]) => devices > 0)
      .map(([link, devices]) => `${COUNTRY},${link},${day}T10:00:00+02:00,1,${people(devices)},${devices}`),
  ]);
}

async function remove(day: string): Promise<void> {
  for (const table of ["activities_daily", "odm_daily", "flows_hourly"]) {
    const args = [table, "--delete", day, "--country", COUNTRY, "--yes", "--state", dirname(ready.countries_file)];
    const request = parseArguments(args);
    if (request) await runImport(request, () => undefined, new Date());
  }
}

function requestsOf(day: string) {
  const window = { country_code: COUNTRY, start_time: `${day}T00:00:00+02:00`, end_time: `${day}T23:59:00+02:00` };
  const ids = [one?.[0], other?.[0], few?.[0]];
  const cells = { agg_type: "activities", activity_type: "hourly", geo_type: "grid_250m", measure: "sum_unique_people", ...window };
  return [
    { ...cells, geo_ids: ids },
    { ...cells, measure: "stays_count", geo_ids: ids },
    { ...cells, activity_type: "daily", geo_ids: ids },
    { ...cells, geo_type: "admin_level_2", geo_ids: [one?.[3]] },
    ...["grid_250m", "admin_level_2"].map((type) => {
      const types = { origin_geo_type: type, destination_geo_type: type };
      return { agg_type: "odm", measure: "trips", ...types, ...window, origin_geo_ids: [one?.[LEVEL_TYPES.indexOf(type)]] };
    }),
    { agg_type: "flow", ...window, ...lane.at },
  ];
}

/** All that a customer, and the functions' account, can see of a day, but for estimates. */
async function seen(customer: TokenHolder, day: string): Promise<unknown> {
  const answers: unknown[] = [];
  for (const request of requestsOf(day)) {
    const lists = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, [value].flat().join(",")]));
    const preview = await call("data", "GET", previewPath(lists), { key: customer.key });
    expect(preview.status).toBe(200);
    const { results, manifest, rows } = await exported(customer, { ...request, format: "csv" });
    // The warehouse writes files in any order of rows.
    const inOrder = rows.map((row) => JSON.stringify(row)).sort();
    answers.push([preview.body, shared(preview.headers), results, manifest, inOrder]);
  }
  const available = await call("data", "GET", `/data-availability?country_code=${COUNTRY}&start_time=${day}&end_time=${day}`, customer);
  const ledgers = await Promise.all(
    ["batches", "batch_geo_types"].map((table) =>
      query(
        `SELECT * FROM mobility.${table} WHERE country_code = '${COUNTRY}' AND batch_date = '${day}' ORDER BY TO_JSON_STRING(${table})`,
      ),
    ),
  );
  const [jobs, me] = [await call("data", "GET", "/data-agg/jobs?limit=50", customer), await call("users", "GET", "/users/me", customer)];
  return [answers, available.body, ledgers, jobs.body, me.body];
}

/** The estimate of one of a day's requests. */
async function estimate({ key }: TokenHolder, day: string, index: number): Promise<string> {
  const { status, body, headers } = await call("data", "POST", "/data-agg/estimate", { key, body: requestsOf(day)[index] });
  expect(status).toBe(200);
  return JSON.stringify([body, shared(headers)], undefined, 1);
}

/**
 * The estimates of one request in both worlds. A query reads the ledgers, too, to which other tests add: the first world's estimate is the same before
 * and after the second's.
 */
async function estimates([first, second]: readonly [TokenHolder, TokenHolder], index: number): Promise<readonly [string, string]> {
  for (;;) {
    const before = await estimate(first, DAYS[0], index);
    const beside = await estimate(second, DAYS[1], index);
    if ((await estimate(first, DAYS[0], index)) === before) return [before, beside];
  }
}

/** The headers that do not differ with every request: the rest of a rate limit grows with the time between two. */
function shared(headers: Headers): object {
  return Object.fromEntries([...headers].filter(([name]) => !["date", "etag", "x-request-id", "traceparent", "ratelimit"].includes(name)));
}

/** An answer without the ids and the times that differ between any two, and the sizes and checksums of files, whose rows have the day. */
function withoutIds(answer: unknown, { uid }: TokenHolder, day: string): string {
  const eve = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  return JSON.stringify(answer, undefined, 1)
    .replaceAll(uid, "the customer")
    .replaceAll(day, "the day")
    .replaceAll(eve, "the eve")
    .replaceAll(/"size": \d+,\s+"crc32c": "[^"]+"/g, "a compressed file")
    .replaceAll(/20(?!18)\d\d-\d\d-\d\dT[\d:.]+Z/g, "a time")
    .replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, "an id");
}

it("a cell, a pair and a link with few devices change nothing that can be seen, whether loaded, deleted, loaded again or corrected", async () => {
  const customers = [await newTokenHolder(), await newTokenHolder()] as const;
  for (const [step, hidden] of STEPS.entries()) {
    for (const [world, day] of DAYS.entries()) {
      const devices = hidden[world] ?? DELETED;
      await (devices === DELETED ? remove(day) : load(day, devices));
    }
    const views: string[] = [];
    for (const [world, customer] of customers.entries()) {
      const day = DAYS[world] ?? "";
      views.push(withoutIds(await seen(customer, day), customer, day));
    }
    expect([step, views[1]]).toEqual([step, views[0]]);
    for (const index of requestsOf(DAYS[0]).keys()) {
      const [first, second] = await estimates(customers, index);
      expect([step, second]).toEqual([step, first]);
    }
    if (hidden[0] !== DELETED) expect(views[0]).toContain('"sum_unique_people": 50');
  }
});
