import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PersistentService, type Reply, startPersistent } from "../testing/persistent-service.ts";
import { copyPreparedData } from "../testing/prepared-data.ts";
import { Crc32c } from "./storage/crc32c.ts";

const DAY = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
const EXPORT = {
  agg_type: "odm",
  measure: "trips",
  origin_geo_type: "grid_1000m",
  destination_geo_type: "grid_1000m",
  start_time: `${DAY}T00:00:00Z`,
  end_time: `${DAY}T23:00:00Z`,
  full: true,
};
/** Four starts, with jobs between them, on a machine that does other work too. */
const KILLS_MS_MAX = 400_000;
const Job = v.object({ job_id: v.string() });
const Results = v.object({
  gs_uri: v.string(),
  total_rows: v.number(),
  files: v.array(v.object({ name: v.string(), size: v.number(), crc32c: v.string() })),
});
const Maps = v.object({ maps: v.array(v.object({ id: v.string() })) });
const Rows = v.object({ rows: v.array(v.object({ target_id: v.string() })) });
const Login = v.object({ accessToken: v.string() });

let data: string;
const running: PersistentService[] = [];

beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), "populus-kept-")), "data");
});

afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
  rmSync(join(data, ".."), { recursive: true });
});

async function start(args: readonly string[] = []): Promise<PersistentService> {
  const service = await startPersistent(data, { args: ["--no-schedule", ...args] });
  running.push(service);
  return service;
}

function keyOf({ ready }: PersistentService): string {
  return ready.customers[0]?.keys.storage ?? "";
}

/** Sends a request as the first customer. Returns undefined if the service went away before it answered. */
function asCustomer(service: PersistentService, method: string, url: string, body?: unknown): Promise<Reply | undefined> {
  return service.request(url, { method, key: keyOf(service), ...(body === undefined ? {} : { body }) }).catch(() => undefined);
}

function polygon(number: number): string {
  const west = (24.7 + number * 0.002).toFixed(3);
  const east = (24.71 + number * 0.002).toFixed(3);
  return `POLYGON((${west} 59.43, ${east} 59.43, ${east} 59.44, ${west} 59.44, ${west} 59.43))`;
}

/** Waits until a job is finished and checks its export: every file of the manifest with the right bytes, and no others. */
async function wholeExport(service: PersistentService, id: string): Promise<number> {
  const api = service.ready.data_base_url;
  await expect
    .poll(async () => (await asCustomer(service, "GET", `${api}/data-agg/status/${id}`))?.body, { timeout: 60_000, interval: 100 })
    .toMatchObject({ status: "completed", progress: 100 });
  const results = v.parse(Results, (await asCustomer(service, "GET", `${api}/data-agg/results/${id}`))?.body);
  const login = await asCustomer(service, "POST", `${service.ready.users_base_url}/login-with-apikey`);
  const headers = { authorization: `Bearer ${v.parse(Login, login?.body).accessToken}` };
  const folder = results.gs_uri.slice("gs://local-exports/".length);
  const list: unknown = await (
    await fetch(`${service.ready.storage_endpoint}/storage/v1/b/local-exports/o?prefix=${encodeURIComponent(folder)}`, { headers })
  ).json();
  const listed = v.parse(v.object({ items: v.array(v.object({ name: v.string() })) }), list).items.map(({ name }) => name);
  expect(listed.sort()).toEqual([`${folder}manifest.json`, ...results.files.map(({ name }) => `${folder}${name}`)].sort());
  for (const { name, size, crc32c } of results.files) {
    const content = new Uint8Array(
      await (await fetch(`${service.ready.storage_endpoint}/local-exports/${folder}${name}`, { headers })).arrayBuffer(),
    );
    expect([content.length, new Crc32c().update(content).digest()]).toEqual([size, crc32c]);
  }
  return results.total_rows;
}

describe("a service that is killed", () => {
  /** Draws maps and submits jobs until the kill, starts the service again and checks that it has them. Returns the service that runs then. */
  const killAndCheck = async (first: PersistentService, seed: number): Promise<PersistentService> => {
    const { users_base_url: users, data_base_url: api } = first.ready;
    const answersUntilEnd = 4 + ((createHash("sha256").update(`kill ${seed}`).digest()[0] ?? 0) % 30);
    const maps: string[] = [];
    const monitored: string[] = [];
    const jobs: string[] = [];
    let answers = 0;
    let killed: Promise<void> | undefined;
    const answered = (reply: Reply | undefined, status: number): unknown => {
      if (reply?.status !== status) return undefined;
      answers += 1;
      if (answers === answersUntilEnd) killed = first.kill();
      return reply.body;
    };
    const Saved = v.object({ id: v.string() });
    const draw = async (number: number): Promise<void> => {
      const body = { name: `map ${number}`, type: "custom_polygon", geometry: polygon(number) };
      const saved = v.safeParse(Saved, answered(await asCustomer(first, "POST", `${users}/admin/maps`, body), 201));
      if (!saved.success) return;
      maps.push(saved.output.id);
      const on = await asCustomer(first, "POST", `${api}/admin/realtime`, { map_id: saved.output.id, enable: true });
      if (answered(on, 200)) monitored.push(saved.output.id);
    };
    const submit = async (): Promise<void> => {
      const job = v.safeParse(Job, answered(await asCustomer(first, "POST", `${api}/data-agg`, EXPORT), 202));
      if (job.success) jobs.push(job.output.job_id);
    };
    await Promise.all(Array.from({ length: 16 }, (_, number) => [draw(number), number < 5 ? submit() : undefined]).flat());
    await (killed ?? first.kill());
    running.length = 0;

    const second = await start();
    expect(second.ready.customers, `seed ${seed}`).toEqual(first.ready.customers);
    const list = await asCustomer(second, "GET", `${second.ready.users_base_url}/admin/maps?limit=100`);
    const found = v.parse(Maps, list?.body).maps;
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(maps));
    const totals = await Promise.all(jobs.map((id) => wholeExport(second, id)));
    expect(new Set(totals).size).toBeLessThanOrEqual(1);
    // The sweeper appends the rows that the kill kept out of the warehouse. Then each monitored map has its headcount exactly once.
    for (const name of ["realtime-sweep", "realtime-refresh"])
      expect((await second.request(second.ready.functions[name] ?? "", { method: "POST" })).status, second.errors()).toBe(200);
    const rows = await asCustomer(second, "GET", `${second.ready.data_base_url}/admin/realtime/data`);
    const counted = v.parse(Rows, rows?.body).rows.map(({ target_id }) => target_id);
    expect(counted).toEqual(expect.arrayContaining(monitored));
    expect(new Set(counted).size).toBe(counted.length);
    return second;
  };

  it(
    "three times restores all acknowledged state and finishes accepted jobs exactly once",
    async () => {
      await copyPreparedData(data);
      let service = await start();
      for (const seed of [1, 2, 3]) service = await killAndCheck(service, seed);
    },
    KILLS_MS_MAX,
  );
});

describe("a service that is stopped and started again", () => {
  it("keeps customers, keys, exports and imports with the rules of their country, and its folder to itself", async () => {
    const first = await start(["--days", "4", "--countries", "scripts/import/sample/usa.json"]);
    const load = (...args: string[]) =>
      spawnSync("node", ["--disable-warning=ExperimentalWarning", "scripts/import.ts", ...args, "--state", first.state], {
        encoding: "utf8",
      });
    expect(load("geographies", "--file", "scripts/import/sample/states.csv").stdout).toMatch(/Loaded geographies USA: 3 rows/);
    const submitted = await asCustomer(first, "POST", `${first.ready.data_base_url}/data-agg`, EXPORT);
    const { job_id: id } = v.parse(Job, submitted?.body);
    const total = await wholeExport(first, id);
    expect(await first.stop()).toBe(0);
    running.length = 0;

    const second = await start();
    expect(second.ready.customers).toEqual(first.ready.customers);
    expect(await wholeExport(second, id)).toBe(total);
    const url = `${second.ready.data_base_url}/geographies?country_code=USA&geo_type=admin_level_4&limit=10`;
    const geographies = v.parse(v.object({ geographies: v.array(v.unknown()) }), (await asCustomer(second, "GET", url))?.body);
    expect(geographies.geographies).toHaveLength(3);
    const secrets = ["customers.json", "iam/accounts.json"].map((name) => statSync(join(data, name)).mode & 0o777);
    expect([statSync(data).mode & 0o777, ...secrets]).toEqual([0o700, 0o600, 0o600]);

    // Another start on the folder of a running service leaves that service alone.
    await expect(start()).rejects.toThrow(/Cannot start: Another process \(\d+\) uses [^\n]*\n$/);
    expect((await asCustomer(second, "POST", `${second.ready.users_base_url}/login-with-apikey`))?.status).toBe(200);
  });
});

describe("a start with an unusable configuration", () => {
  it.each<[string, readonly string[], RegExp]>([
    ["another seed", ["--seed", "2"], /was created with --seed 1: omit --seed 2/],
    ["another scale", ["--scale", "3"], /was created with --scale 1: omit --scale 3/],
    ["Google's emulators", ["--engines", "google"], /--data needs the embedded engines/],
  ])("with %s fails with a one-line message", async (_what, args, line) => {
    mkdirSync(data);
    writeFileSync(join(data, "populus.json"), JSON.stringify({ service: "populus", format: 6, seed: 1, scale: 1, days: 14 }));
    const refused = start(args);
    await expect(refused).rejects.toThrow(line);
    await expect(refused).rejects.toThrow(/^Cannot start: [^\n]*\n$/);
    expect(readdirSync(data)).toEqual(["populus.json"]);
  });

  it("leaves a folder of another version or another program untouched", async () => {
    mkdirSync(data);
    const marker = join(data, "populus.json");
    // Until format 3, raw counts and published ones were in one table; until format 4, a version of a map had its cells; until format 5, the
    // headcounts of all customers were behind their views.
    for (const format of [3, 4, 5, 99]) {
      writeFileSync(marker, JSON.stringify({ service: "populus", format }));
      const refused = start();
      await expect(refused).rejects.toThrow(/^Cannot start: [^\n]*\n$/);
      await expect(refused).rejects.toThrow(
        `was created by another version of this service (format ${format}, expected 6): delete it, or choose another folder with --data DIR`,
      );
    }
    rmSync(marker);
    writeFileSync(join(data, "thesis.txt"), "years of work");
    await expect(start()).rejects.toThrow(/^Cannot start: [^\n]* contains files that this service did not create[^\n]*\n$/);
    expect(readdirSync(data)).toEqual(["thesis.txt"]);
    rmSync(data, { recursive: true });
    writeFileSync(data, "a file");
    await expect(start()).rejects.toThrow(/^Cannot start: [^\n]* cannot be used as a data folder \(ENOTDIR\)[^\n]*\n$/);
    expect(readFileSync(data, "utf8")).toBe("a file");
  });
});
