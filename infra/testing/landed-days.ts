import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as v from "valibot";
import { expect, vi } from "vitest";
import { openLanding } from "./landing.ts";
import { runAsLoader } from "./raw-counts.ts";
import { call, keyOf, newCustomer, ready } from "./service.ts";

/** The landing bucket of the running service. */
export const landing = openLanding(ready.storage_endpoint, ready.project);
const customer = await newCustomer();
const key = keyOf(customer);

/** The columns of a file of hourly flows. */
export const HEADER = "link_id,time_bucket,direction,people,devices";
const VIRU = { agg_type: "flow", country_code: "EST", lat: "59.437", lon: "24.7454" };
const Preview = v.object({
  link: v.object({ link_id: v.number() }),
  results: v.array(v.object({ time_bucket: v.nullable(v.string()), people: v.nullable(v.number()) })),
});
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

/** The street of which `peopleOn` tells. */
export const { link_id: street } = (await previewOf("2021-07-01")).link;

/** The people that the API tells of the street by UTC hour. */
export async function peopleOn(date: string): Promise<Record<string, number | null>> {
  const { results } = await previewOf(date);
  return Object.fromEntries(results.flatMap(({ time_bucket: time, people }) => (time === null ? [] : [[time.slice(11, 13), people]])));
}

/** The loads of a day of hourly flows, in order. */
export async function loadsOf(date: string) {
  const sql = `SELECT version, row_count FROM intake.batches WHERE table_name = 'flows_hourly' AND country_code = 'EST' AND batch_date = '${date}'`;
  return v.parse(v.array(Version), await runAsLoader(`${sql} ORDER BY version`));
}

/** The folder into which files of a day of hourly flows are uploaded. */
export const folder = (date: string): string => `landing/flows_hourly/EST/${date}/`;
/** A line of such a file: people and devices of an hour on a street, by default the one that `peopleOn` tells of. */
export const row = (date: string, hour: number, people: number, devices = 50, id = street): string =>
  `${id},${date}T${hour}:00:00Z,1,${people},${devices}`;
/** A file of lines. */
export const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join("\n")}\n`;

/** The same rows as a Parquet file. */
export const parquet = (...rows: readonly string[]): Promise<Buffer> => parquetOf(csv(...rows));

/** The Parquet file of a CSV file. */
export async function parquetOf(text: string): Promise<Buffer> {
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

/** Waits until something is read that equals what is expected. */
export function until<T>(read: () => Promise<T>, expected: unknown): Promise<void> {
  return vi.waitFor(async () => expect(await read()).toEqual(expected), { timeout: 60_000, interval: 50 });
}

/** Uploads a manifest that names files with their checksums. */
export async function bring(date: string, name: string, files: readonly string[], more: object = {}): Promise<void> {
  const named = await Promise.all(files.map(async (file) => ({ name: file, crc32c: await landing.crc32c(`${folder(date)}${file}`) })));
  await landing.upload(`${folder(date)}${name}`, JSON.stringify({ files: named, ...more }));
}

/** Waits for the quarantine of a day and returns its names, without the folder of the manifest, and its errors. */
export async function quarantined(date: string, table = "flows_hourly") {
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
