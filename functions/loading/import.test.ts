import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as v from "valibot";
import { expect, it, vi } from "vitest";
import { asFunction } from "../../infra/local/as-function.ts";
import { LANDING_BUCKET } from "../../infra/local/functions-environment.ts";
import { openLanding } from "../../infra/testing/landing.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { call, keyOf, newCustomer, ready } from "../../infra/testing/service.ts";
import { parseArguments } from "../../scripts/import/arguments.ts";
import { runImport } from "../../scripts/import/run.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { reportMissingDays } from "../../shared/loading/arrivals.ts";
import { civilDate } from "../../shared/products/time-window.ts";
import { config } from "../../shared/runtime/config.ts";
import arrivals from "./arrivals.ts";
import importDay from "./import.ts";

const landing = openLanding(ready.storage_endpoint, ready.project);
const customer = await newCustomer();
const key = keyOf(customer);

const HEADER = "link_id,time_bucket,direction,people,devices";
const VIRU = { agg_type: "flow", country_code: "EST", lat: "59.437", lon: "24.7454" };
const Preview = v.object({
  link: v.object({ link_id: v.number() }),
  results: v.array(v.object({ time_bucket: v.nullable(v.string()), people: v.nullable(v.number()) })),
});
const Place = v.object({ geo_id: v.number(), at_2: v.number(), at_3: v.number() });
const Version = v.object({ version: v.number(), row_count: v.number() });
const Errors = v.object({
  total: v.number(),
  errors: v.array(v.object({ file: v.nullable(v.string()), line: v.nullable(v.number()), error: v.string(), correct: v.string() })),
});

/** What the API tells of a street on a day. */
async function previewOf(date: string) {
  const query = new URLSearchParams({ ...VIRU, start_time: `${date}T00:00:00+03:00`, end_time: `${date}T23:00:00+03:00` });
  const { status, body } = await call("data", "GET", `/data-agg?${query}`, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return v.parse(Preview, body);
}

const { link_id: street } = (await previewOf("2021-07-01")).link;

/** The people that the API tells of the street by UTC hour. */
async function peopleOn(date: string): Promise<Record<string, number | null>> {
  const { results } = await previewOf(date);
  return Object.fromEntries(results.flatMap(({ time_bucket: time, people }) => (time === null ? [] : [[time.slice(11, 13), people]])));
}

async function loadsOf(date: string) {
  const sql = `SELECT version, row_count FROM intake.batches WHERE table_name = 'flows_hourly' AND country_code = 'EST' AND batch_date = '${date}'`;
  return v.parse(v.array(Version), await runAsLoader(`${sql} ORDER BY version`));
}

const folder = (date: string): string => `landing/flows_hourly/EST/${date}/`;
const row = (date: string, hour: number, people: number, devices = 50, id = street): string =>
  `${id},${date}T${hour}:00:00Z,1,${people},${devices}`;
const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join("\n")}\n`;

/** The same rows as a Parquet file. */
const parquet = (...rows: readonly string[]): Promise<Buffer> => parquetOf(csv(...rows));

async function parquetOf(text: string): Promise<Buffer> {
  const path = join(tmpdir(), `${randomUUID()}`);
  writeFileSync(`${path}.csv`, text);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  await connection.run(
    `COPY (SELECT * REPLACE (time_bucket::TIMESTAMPTZ AS time_bucket) FROM read_csv('${path}.csv')) TO '${path}.parquet' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  const content = readFileSync(`${path}.parquet`);
  for (const kind of ["csv", "parquet"]) rmSync(`${path}.${kind}`);
  return content;
}

function until<T>(read: () => Promise<T>, expected: unknown): Promise<void> {
  return vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 60_000, interval: 50 });
}

/** Uploads a manifest that names files with their checksums. */
async function bring(date: string, name: string, files: readonly string[], more: object = {}): Promise<void> {
  const named = await Promise.all(files.map(async (file) => ({ name: file, crc32c: await landing.crc32c(`${folder(date)}${file}`) })));
  await landing.upload(`${folder(date)}${name}`, JSON.stringify({ files: named, ...more }));
}

/** Waits for the quarantine of a day and returns its names, without the folder of the manifest, and its errors. */
async function quarantined(date: string, table = "flows_hourly") {
  const prefix = `quarantine/${table}/EST/${date}/`;
  const names = await vi.waitFor(
    async () => {
      const found = await landing.names(prefix);
      // The manifest goes last.
      expect(found.some((name) => /_SUCCESS$|manifest/.test(name))).toBe(true);
      return found;
    },
    { timeout: 60_000, interval: 50 },
  );
  const [at = ""] = names.filter((name) => name.endsWith("/errors.json"));
  const errors = v.parse(v.pipe(v.string(), v.parseJson(), Errors), await landing.text(`${prefix}${at}`));
  return { ...errors, names: names.map((name) => name.slice(name.indexOf("/") + 1)) };
}

it("a day arrives, is loaded by one job and told by the API; what is delivered again changes nothing", async () => {
  const date = "2021-07-02";
  await landing.upload(`${folder(date)}part-1.csv`, csv(row(date, 10, 100)));
  await landing.upload(`${folder(date)}part-2.csv`, csv(row(date, 11, 160)));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  await until(() => peopleOn(date), { 10: 100, 11: 160 });
  expect(await loadsOf(date)).toEqual([{ version: 1, row_count: 2 }]);
  const name = `${folder(date)}_SUCCESS`;
  const object = { bucket: LANDING_BUCKET, name, generation: await landing.generation(name) };
  const event = { data: { message: { data: Buffer.from(JSON.stringify(object)).toString("base64") } } };
  await importDay.run(event, asFunction(config(), "loading-import"));
  expect(await loadsOf(date)).toEqual([{ version: 1, row_count: 2 }]);
  expect(await runAsLoader("SELECT table_name FROM staging.INFORMATION_SCHEMA.TABLES WHERE table_name LIKE '%20210702%'")).toEqual([]);
});

it("a day of Parquet files is loaded and told as one of CSV; a bad row of one is told by its key", async () => {
  const date = "2021-07-09";
  await landing.upload(`${folder(date)}part-1.parquet`, await parquet(row(date, 10, 100)));
  await landing.upload(`${folder(date)}part-2.parquet`, await parquet(row(date, 11, 160)));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  await until(() => peopleOn(date), { 10: 100, 11: 160 });
  expect(await loadsOf(date)).toEqual([{ version: 1, row_count: 2 }]);
  await landing.upload(`${folder(date)}bad.parquet`, await parquet(row(date, 12, 900)));
  await bring(date, "manifest.json", ["part-1.parquet", "bad.parquet"], { replaces: ["part-2.parquet"] });
  const { errors, names } = await quarantined(date);
  expect(names.sort()).toEqual(["bad.parquet", "errors.json", "manifest.json"]);
  expect(errors).toEqual([
    { file: null, line: null, error: expect.stringContaining('"900" is more people than 50 devices stand for'), correct: "at most 170" },
  ]);
  expect(await peopleOn(date)).toEqual({ 10: 100, 11: 160 });
});

it("a second file of the day adds to the first, and a correction replaces the file that it names", async () => {
  const date = "2021-07-03";
  await landing.upload(`${folder(date)}a.csv`, csv(row(date, 10, 100)));
  await bring(date, "manifest-1.json", ["a.csv"]);
  await until(() => peopleOn(date), { 10: 100 });
  await landing.upload(`${folder(date)}b.csv`, csv(row(date, 11, 160)));
  await bring(date, "manifest-2.json", ["b.csv"]);
  await until(() => peopleOn(date), { 10: 100, 11: 160 });
  // The uploader may not replace a file.
  await expect(landing.upload(`${folder(date)}a.csv`, csv(row(date, 10, 20)))).rejects.toMatchObject({ code: 403 });
  await landing.upload(`${folder(date)}a2.csv`, csv(row(date, 10, 140, 60)));
  await bring(date, "manifest-3.json", ["a2.csv"], { replaces: ["a.csv"] });
  await until(() => peopleOn(date), { 10: 140, 11: 160 });
  expect(await loadsOf(date)).toEqual([1, 2, 2].map((rows, index) => ({ version: index + 1, row_count: rows })));
});

it("a bad file is quarantined with its manifest and the line that is wrong; what was published before stays", async () => {
  const date = "2021-07-04";
  await landing.upload(`${folder(date)}good.csv`, csv(row(date, 10, 100)));
  await bring(date, "manifest-1.json", ["good.csv"]);
  await until(() => peopleOn(date), { 10: 100 });
  await landing.upload(
    `${folder(date)}bad.csv`,
    csv(row(date, 12, 20), row(date, 13, 900), row(date, 14, 20, 50, 1), row("2021-07-01", 15, 20)),
  );
  await bring(date, "manifest-2.json", ["bad.csv"]);
  const { names, errors, total } = await quarantined(date);
  expect(names.sort()).toEqual(["bad.csv", "errors.json", "manifest-2.json"]);
  expect(total).toBe(3);
  expect(errors.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))).toEqual([
    { file: "bad.csv", line: 3, error: 'column people: "900" is more people than 50 devices stand for', correct: "at most 170" },
    {
      file: "bad.csv",
      line: 4,
      error: 'column link_id: "1" is not in road_links',
      correct: expect.stringContaining("road_links with this id loaded first"),
    },
    { file: "bad.csv", line: 5, error: expect.stringContaining("is not on the day"), correct: expect.stringContaining("2021-07-04") },
  ]);
  expect(await peopleOn(date)).toEqual({ 10: 100 });
  expect(await landing.names(folder(date))).toEqual(["good.csv", "manifest-1.json"]);
  expect(await loadsOf(date)).toHaveLength(1);
});

it("a day of areas that comes again with a type between those that are published is quarantined", async () => {
  const date = "2021-07-10";
  const at = `landing/activities_hourly/EST/${date}/`;
  const [place] = await runAsLoader(
    "SELECT geo_id, at_2, at_3 FROM intake.nesting WHERE country_code = 'EST' AND geo_type = 'grid_1000m' AND at_3 IS NOT NULL ORDER BY geo_id LIMIT 1",
  );
  const { geo_id: cell, at_2: area, at_3: county } = v.parse(Place, place);
  const hour = (type: string, id: number): string => `${type},${id},${date}T10:00:00Z,100,0,0,0,50`;
  const header = "geo_type,geo_id,time_bucket,people,stays_count,stays_dwell_minutes,stays_devices,devices";
  const file = (...rows: readonly string[]): string => `${[header, ...rows].join("\n")}\n`;
  const types = () => runAsLoader(`SELECT geo_type FROM mobility.activities_hourly WHERE batch_date = '${date}' ORDER BY geo_type`);
  await landing.upload(`${at}part-1.csv`, file(hour("grid_1000m", cell), hour("admin_level_2", county)));
  await landing.upload(`${at}_SUCCESS`, "");
  const published = [{ geo_type: "admin_level_2" }, { geo_type: "grid_1000m" }];
  await until(types, published);
  await landing.upload(`${at}part-2.csv`, file(hour("admin_level_4", area)));
  await landing.upload(
    `${at}manifest.json`,
    JSON.stringify({ files: [{ name: "part-2.csv", crc32c: await landing.crc32c(`${at}part-2.csv`) }] }),
  );
  const { errors } = await quarantined(date, "activities_hourly");
  expect(errors).toEqual([
    {
      file: null,
      line: null,
      error: "The day is published without rows of admin_level_4, which these files have",
      correct: expect.stringContaining("npm run import -- activities_hourly --delete DAY --country C"),
    },
  ]);
  expect(await types()).toEqual(published);
});

it("files that cannot be read, and those of another checksum, are quarantined", async () => {
  const unreadable = "2021-07-05";
  await landing.upload(`${folder(unreadable)}x.csv`, csv(row(unreadable, 10, 100), `${street},${unreadable}T11:00:00Z,1,many,50`));
  await landing.upload(`${folder(unreadable)}_SUCCESS`, "");
  expect((await quarantined(unreadable)).errors).toEqual([
    { file: "x.csv", line: 3, error: 'column people: "many": Unable to parse', correct: "a value of the type INT64" },
  ]);
  const changed = "2021-07-06";
  await landing.upload(`${folder(changed)}x.csv`, csv(row(changed, 10, 100)));
  await landing.upload(`${folder(changed)}manifest.json`, JSON.stringify({ files: [{ name: "x.csv", crc32c: "AAAAAA==" }] }));
  expect((await quarantined(changed)).errors).toEqual([
    { file: "x.csv", line: null, error: expect.stringContaining("its manifest says AAAAAA=="), correct: "a file with the CRC32C AAAAAA==" },
  ]);
  const unknown = "2021-07-07";
  await landing.upload(`${folder(unknown)}x.csv`, "street,devices\n1,2\n");
  await landing.upload(`${folder(unknown)}_SUCCESS`, "");
  expect((await quarantined(unknown)).errors.map(({ error }) => error)).toContain('column "street": the table has no such column');
  for (const date of [unreadable, changed, unknown]) expect(await loadsOf(date)).toEqual([]);
});

it("files that no load job can read are quarantined, and names with any other characters are loaded", async () => {
  const date = "2021-07-10";
  const names = ["a b.csv", "õ 日本.csv", "per%cent.csv", "plus+&=#?.csv", "quote'\".csv", "[x].csv"];
  for (const [index, name] of names.entries()) await landing.upload(`${folder(date)}${name}`, csv(row(date, 10 + index, 100)));
  await bring(date, "manifest-1.json", names);
  await until(async () => (await loadsOf(date)).length, 1);
  expect(await loadsOf(date)).toEqual([{ version: 1, row_count: names.length }]);
  await landing.upload(`${folder(date)}a*.csv`, csv(row(date, 20, 100)));
  await bring(date, "manifest-2.json", ["a*.csv"]);
  expect((await quarantined(date)).errors).toEqual([
    { file: "a*.csv", line: null, error: "has a * in its name, which stands for any text", correct: "a name without *" },
  ]);
  expect(await landing.names(folder(date))).toEqual([...names, "manifest-1.json"].toSorted());
  const corrupt = "2021-07-11";
  await landing.upload(`${folder(corrupt)}x.csv.gz`, csv(row(corrupt, 10, 100)));
  await landing.upload(`${folder(corrupt)}_SUCCESS`, "");
  expect((await quarantined(corrupt)).errors).toMatchObject([
    { file: "x.csv.gz", error: "is a corrupt gzip file: incorrect header check" },
  ]);
});

it.each([
  [
    "a corrupt Parquet file",
    "2021-07-13",
    "a.parquet",
    Buffer.from(`PAR1${"x".repeat(200)}PAR1`),
    "a.parquet",
    "Input file is not in Parquet format.",
    "a whole Parquet",
  ],
  [
    "CSV in a file .parquet",
    "2021-07-14",
    "a.parquet",
    Buffer.from(csv(row("2021-07-14", 10, 100))),
    "a.parquet",
    "Input file is not in Parquet format.",
    "a whole Parquet",
  ],
  [
    "Parquet in a file .csv",
    "2021-07-15",
    "a.csv",
    Buffer.from("PAR1\u0015\u0004x\nPAR1"),
    "a.csv",
    "is a Parquet file",
    "a name that ends in .parquet",
  ],
  ["a header without rows", "2021-07-16", "a.csv", Buffer.from(csv()), null, "The files have no rows", "one row or more"],
  [
    "a manifest of over 4 MiB",
    "2021-07-17",
    "manifest.json",
    Buffer.alloc(2 ** 22 + 1, " "),
    "manifest.json",
    "has 4194305 bytes, and a manifest has at most 4194304",
    "files",
  ],
])("%s is quarantined with its reason", async (_, date, name, content, file, error, correct) => {
  await landing.upload(`${folder(date)}${name}`, content);
  if (name !== "manifest.json") await landing.upload(`${folder(date)}_SUCCESS`, "");
  const { errors, total } = await quarantined(date);
  expect(errors).toEqual([{ file, line: name === "a.csv" && file !== null ? 1 : null, error, correct: expect.stringContaining(correct) }]);
  expect(total).toBe(1);
  expect(await landing.names(folder(date))).toEqual([]);
  expect(await loadsOf(date)).toEqual([]);
});

it("a Parquet file with columns of other types is quarantined, and errors.json names the first 20 of many faults", async () => {
  const date = "2021-07-18";
  const types = `${HEADER}\n${street},${date}T10:00:00Z,1,many,50\n`;
  await landing.upload(`${folder(date)}a.parquet`, await parquetOf(types));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  expect((await quarantined(date)).errors).toEqual([
    {
      file: "a.parquet",
      line: null,
      error: "Parquet column 'people' has type STRING which does not match the target type INT64.",
      correct: expect.stringContaining("the table's columns in their types"),
    },
  ]);
  const many = "2021-07-19";
  const files = Array.from({ length: 25 }, (_, index) => ({ name: `${index}.csv`, crc32c: "AAAAAA==" }));
  await landing.upload(`${folder(many)}manifest.json`, JSON.stringify({ files }));
  const { errors, total } = await quarantined(many);
  expect([errors.length, total]).toEqual([20, 25]);
});

it("a day that has not begun is quarantined", async () => {
  const date = "2096-07-08";
  await landing.upload(`${folder(date)}part-1.csv`, csv(row(date, 10, 100)));
  await landing.upload(`${folder(date)}_SUCCESS`, "");
  const { errors, names } = await quarantined(date);
  expect(names.sort()).toEqual(["_SUCCESS", "errors.json", "part-1.csv"]);
  const today = civilDate(new Date(), "Europe/Tallinn");
  const correct = `a day up to ${today}, which it is in Europe/Tallinn`;
  expect(errors).toEqual([{ file: null, line: null, error: `${date} is a day in the future`, correct }]);
  expect(await loadsOf(date)).toEqual([]);
});

/** Runs an import of hourly flows and returns what it says. */
async function run(...args: readonly string[]): Promise<string[]> {
  const request = parseArguments(["flows_hourly", ...args, "--state", dirname(ready.countries_file)]);
  if (!request) throw new Error("the command line asks for help");
  const lines: string[] = [];
  await runImport(request, (line) => lines.push(line), new Date()).catch((error: unknown) => lines.push(String(error)));
  return lines;
}

it("a day that did not arrive by its hour is reported, and not once it is there; a deleted day is reported again", async () => {
  const logged: unknown[] = [];
  const log = (severity: string, message: string, fields = {}) => void logged.push({ severity, message, ...fields });
  const { EST } = countries();
  if (!EST) throw new Error("There is no Estonia");
  const warehouse = openWarehouse(asFunction(config(), arrivals.scheduleName));
  // 6:00 in Tallinn is 3:00 UTC.
  const at = (now: string) => reportMissingDays(warehouse, { countries: { EST }, hour: 6, now: () => new Date(now), log });
  await at("2021-07-04T02:59:00Z");
  const missing = () => logged.filter((line) => Object(line).severity === "ERROR" && Object(line).table === "flows_hourly");
  expect(missing()).toEqual([expect.objectContaining({ date: "2021-07-01" }), expect.objectContaining({ date: "2021-06-30" })]);
  logged.length = 0;
  await at("2021-07-06T03:00:00Z");
  expect(missing()).toEqual([
    { severity: "ERROR", message: "A day of data did not arrive", table: "flows_hourly", country: "EST", date: "2021-07-05", hour: 6 },
  ]);
  logged.length = 0;
  await run("--delete", "2021-07-04", "--country", "EST", "--yes");
  await at("2021-07-06T03:00:00Z");
  expect(missing()).toEqual([expect.objectContaining({ date: "2021-07-05" }), expect.objectContaining({ date: "2021-07-04" })]);
});

it("a range of days is backfilled at once, and a file of the bucket is loaded by its name", async () => {
  const days = ["2021-08-01", "2021-08-02", "2021-08-03", "2021-08-04"];
  const [first = "", second = "", bad = "", last = ""] = days;
  for (const date of [first, second, bad]) await landing.upload(`${folder(date)}part.csv`, csv(row(date, 10, 100, date === bad ? 1 : 50)));
  expect(await run("--file", `gs://${LANDING_BUCKET}/${folder(first)}part.csv`, "--set", "country_code=EST")).toContain(
    `Loaded flows_hourly ${first} EST: 1 row, 1 published, version 1`,
  );
  expect(await run("--file", `gs://${LANDING_BUCKET}/none.csv`)).toEqual([expect.any(String), expect.stringContaining("cannot be read")]);
  // Nobody hears of the manifests until the backfill is over.
  await pushTo({});
  for (const date of [second, bad]) await landing.upload(`${folder(date)}_SUCCESS`, "");
  expect(await run("--backfill", `${first}..${last}`, "--country", "EE")).toEqual([
    expect.stringContaining("--country EE is not a known country (EST, "),
  ]);
  const lines = await run("--backfill", `${first}..${last}`, "--country", "EST", "--parallel", "3");
  expect(lines.toSorted()).toEqual([
    "Error: 1 of 4 days failed; the others are loaded",
    `flows_hourly ${first} EST: nothing has arrived`,
    `flows_hourly ${second} EST: loaded, load 1`,
    expect.stringMatching(`^flows_hourly ${bad} EST: quarantined, 1 faults: gs://.*/errors.json$`),
    `flows_hourly ${last} EST: nothing has arrived`,
  ]);
  expect(await peopleOn(second)).toEqual({ 10: 100 });
  await pushTo({ pushEndpoint: `${ready.functions["loading-import"]}/projects/${ready.project}/topics/landings` });
  expect(await run("--backfill", `${second}..${second}`, "--country", "EST")).toEqual([
    `flows_hourly ${second} EST: loaded already, load 1`,
  ]);
});

/** Points the subscription of notifications to an address; without one they wait. */
async function pushTo(pushConfig: object): Promise<void> {
  const url = `http://${ready.pubsub_host}/v1/projects/${ready.project}/subscriptions/landings-import:modifyPushConfig`;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pushConfig }),
  });
  expect(response.status).toBe(200);
}
