import { dirname } from "node:path";
import * as v from "valibot";
import { expect, it } from "vitest";
import { call, keyOf, newCustomer, ready, runJob } from "../../infra/testing/service.ts";
import { parseArguments } from "../../scripts/import/arguments.ts";
import { runImport } from "../../scripts/import/run.ts";
import { madeCsv } from "../../scripts/import/testing/made-files.ts";
import { AvailabilityResponse } from "../../shared/products/availability-schemas.ts";
import { Warnings } from "../../shared/products/result-warnings.ts";

const key = keyOf(await newCustomer());
const Preview = v.object({
  link: v.object({ link_id: v.number() }),
  data_versions: v.array(v.object({ batch_date: v.string(), version: v.number() })),
  warnings: Warnings,
});
const Results = v.object({ superseded: v.nullable(v.boolean()) });
/** A day on which no other test looks. */
const DAY = "2021-09-14";
const WINDOW = { start_time: `${DAY}T00:00:00+03:00`, end_time: `${DAY}T23:00:00+03:00` };
/** In a street of Tallinn. */
const VIRU = { lat: 59.437, lon: 24.7454 };
const REQUEST = { agg_type: "flow", country_code: "EST", ...WINDOW };

/** Sends a request that succeeds, and returns its answer. */
async function ask<Schema extends v.GenericSchema>(schema: Schema, path: string): Promise<v.InferOutput<Schema>> {
  const { status, body } = await call("data", "GET", path, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return v.parse(schema, body);
}

async function run(...args: readonly string[]): Promise<void> {
  const request = parseArguments(["flows_hourly", ...args, "--state", dirname(ready.countries_file)]);
  if (request) await runImport(request, () => undefined, new Date());
}

it("a deleted day has no data until it is loaded again, be all its rows withheld", async () => {
  const preview = () => ask(Preview, `/data-agg?${new URLSearchParams({ ...REQUEST, lat: `${VIRU.lat}`, lon: `${VIRU.lon}` })}`);
  const listed = async () =>
    (await ask(AvailabilityResponse, `/data-availability?dataset=flows&start_time=${DAY}&end_time=${DAY}`)).results;
  const { link } = await preview();
  const load = async (devices: number): Promise<void> => {
    const row = `${link.link_id},${DAY}T10:00:00Z,1,${devices * 3},${devices}`;
    await run("--file", madeCsv("link_id,time_bucket,direction,people,devices", row), "--set", "country_code=EST");
  };

  await load(100);
  expect(await listed()).toEqual([expect.objectContaining({ batch_date: DAY, total_rows: 1 })]);
  const { id, status } = await runJob(key, { ...REQUEST, ...VIRU });
  expect([status, await ask(Results, `/data-agg/results/${id}`)]).toEqual(["completed", { superseded: false }]);

  await run("--delete", DAY, "--country", "EST", "--yes");
  expect(await listed()).toEqual([]);
  const detail = expect.stringContaining(`There is no data of ${DAY} (days of Europe/Tallinn)`);
  expect(await preview()).toEqual({ link, data_versions: [], warnings: [{ code: "no_data", detail }] });
  expect(await ask(Results, `/data-agg/results/${id}`)).toEqual({ superseded: true });

  await load(1);
  expect(await listed()).toEqual([expect.objectContaining({ batch_date: DAY, total_rows: 0 })]);
  expect(await preview()).toMatchObject({
    data_versions: [{ batch_date: DAY, version: 3 }],
    warnings: [{ code: "no_published_rows" }],
  });

  await run("--delete", DAY, "--country", "EST", "--yes");
  expect(await listed()).toEqual([]);
  expect(await preview()).toMatchObject({ data_versions: [], warnings: [{ code: "no_data" }] });
});
