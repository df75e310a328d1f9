import { dirname } from "node:path";
import { expect, it } from "vitest";
import { asFunction } from "../../infra/local/as-function.ts";
import { LANDING_BUCKET } from "../../infra/local/functions-environment.ts";
import { bring, csv, folder, landing, loadsOf, parquet, peopleOn, quarantined, row, until } from "../../infra/testing/landed-days.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { ready } from "../../infra/testing/service.ts";
import { parseArguments } from "../../scripts/import/arguments.ts";
import { runImport } from "../../scripts/import/run.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { reportMissingDays } from "../../shared/loading/arrivals.ts";
import { config } from "../../shared/runtime/config.ts";
import arrivals from "./arrivals.ts";
import importDay from "./import.ts";

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
