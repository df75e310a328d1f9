import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import * as v from "valibot";
import { awaitSample } from "../infra/local/await-sample.ts";
import { Interrupted } from "../infra/local/child.ts";
import { parseOptions, type StartOptions } from "../infra/local/options.ts";
import type { Ready } from "../infra/local/ready-file.ts";
import { startService } from "../infra/local/service.ts";
import { LoginResponse } from "../shared/accounts/login-schemas.ts";
import { EstimateResponse } from "../shared/aggregation/estimate-schemas.ts";
import { StatusResponse, SubmitResponse } from "../shared/aggregation/job-schemas.ts";
import { ExportResults, PreviewResults } from "../shared/aggregation/result-schemas.ts";
import { ActivitiesRow } from "../shared/products/activities.ts";
import { FlowRow } from "../shared/products/flow.ts";
import { RealtimeDataResponse } from "../shared/realtime/schemas.ts";
import { messageOf } from "../shared/runtime/error-message.ts";
import { printBars } from "./bars.ts";
import { ProgressLine } from "./progress-line.ts";
import { inProject } from "./project-folder.ts";
import { shortPath } from "./short-path.ts";
import { listenForStop, type StopSignal } from "./stop-signal.ts";
import { printTable } from "./table.ts";
import { DEMO_USAGE } from "./usage.ts";

/** Whatever is said while a job's progress is shown goes through this. */
const output = new ProgressLine();

/** `./scripts/demo` walks through a customer's whole journey on the sample data. Every request works with `curl`, too. */
async function main(): Promise<void> {
  const options = parseOptions(["--state", inProject(".local/demo"), "--no-schedule", ...process.argv.slice(2)]);
  if (options.help) {
    process.stdout.write(DEMO_USAGE);
    return;
  }
  const stop = listenForStop();
  try {
    await walk(options, stop);
  } catch (error) {
    if (!stop.signal.aborted && !(error instanceof Interrupted)) throw error;
    // Google's clients would repeat what they had begun for some seconds.
    process.exit(stop.exitCode());
  }
}

async function walk(options: StartOptions, { signal, received }: StopSignal): Promise<void> {
  const service = await startService(options, (line) => output.say(line), { signal });
  const walked = journey(service.ready, join(options.stateDirectory, "downloads"));
  // Requests of a journey that was interrupted fail.
  walked.catch(() => undefined);
  // What it fails with is the service's failure.
  awaitSample(service, (line) => output.say(`   ${line}`)).catch(() => undefined);
  try {
    const reason = await Promise.race([walked, received, service.failed]);
    if (reason !== undefined) throw new Error(reason);
  } finally {
    await service.stop();
  }
}

async function journey(ready: Ready, downloads: string): Promise<void> {
  const [acme, globex] = ready.customers;
  const key = acme?.keys.storage;
  if (!acme || !globex || !key) throw new Error("The sample customers are missing");
  const day = 86_400_000;
  const today = Math.floor(Date.now() / day) * day;
  const window = { start_time: isoDate(today - 3 * day), end_time: isoDate(today - 2 * day) };

  title(1, `${acme.name} logs in and exchanges an API key for an OAuth token, valid for one hour`);
  const login = v.parse(LoginResponse, await request("POST", `${ready.users_base_url}/login-with-apikey`, key));
  console.log(`   userId ${login.userId}, token ${login.accessToken.slice(0, 12)}…, until ${login.expireTime}`);

  title(2, "How many people were in each of Estonia's municipalities, hour by hour? A job with a preview");
  const activities = await runJob(ready, key, {
    agg_type: "activities",
    measure: "sum_unique_people",
    activity_type: "hourly",
    geo_type: "admin_level_2",
    ...window,
  });
  const preview = v.parse(PreviewResults, activities);
  printTable(v.parse(v.array(ActivitiesRow), preview.preview).slice(0, 6));
  console.log(`   ${preview.total_rows} rows in total; rows that could reveal fewer than ${preview.meta.k} devices are withheld`);

  title(3, "How busy is the road nearest to a point in Tallinn? A synchronous preview of a day of Flow");
  const point = new URLSearchParams({ agg_type: "flow", lat: "59.437", lon: "24.7454", ...window });
  const flow = v.parse(FlowPreview, await request("GET", `${ready.data_base_url}/data-agg?${point}`, key));
  const [link] = flow.results;
  console.log(`   ${link?.link_name} (${link?.link_type}), ${link?.distance_m} m away; its busier direction, hour by hour (UTC):`);
  printBars(everyThirdHour(flow.results));

  title(4, "Who travels where in Estonia? First the cost of the whole matrix, then the matrix, exported as files");
  const matrix = {
    agg_type: "odm",
    measure: "trips",
    origin_geo_type: "grid_1000m",
    destination_geo_type: "grid_1000m",
    ...window,
    full: true,
  };
  const estimate = v.parse(EstimateResponse, await request("POST", `${ready.data_base_url}/data-agg/estimate`, key, matrix));
  const { amount, currency } = estimate.estimated_cost_max;
  console.log(`   reads at most ${(estimate.estimated_bytes_max / 1e6).toFixed(1)} MB, costs at most ${amount} ${currency}`);
  const odm = await runJob(ready, key, matrix);
  const exported = v.parse(ExportResults, odm);
  console.log(`   ${exported.total_rows} rows\n   ${exported.gs_uri}`);

  title(5, "List the export folder and download a file with the token");
  const prefix = `results/${acme.uid}/`;
  const list = `${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?prefix=`;
  const { items } = v.parse(Listing, await readJson(await withToken(list + encodeURIComponent(prefix), login.accessToken)));
  printTable(items.map(({ name, size }) => ({ name: name.slice(name.lastIndexOf("/") + 1), bytes: Number(size) })));
  const part = items.find(({ name }) => name.endsWith(".csv.gz"));
  if (!part) throw new Error("The export holds no CSV file");
  const file = await withToken(`${ready.storage_endpoint}/${ready.export_bucket}/${part.name}`, login.accessToken);
  const bytes = Buffer.from(await file.arrayBuffer());
  mkdirSync(downloads, { recursive: true });
  const path = join(downloads, part.name.slice(part.name.lastIndexOf("/") + 1));
  writeFileSync(path, bytes);
  const lines = gunzipSync(bytes).toString("utf8").split("\n");
  console.log(`\n   ${shortPath(path)}:`);
  for (const line of lines.slice(0, 5)) console.log(`   ${line}`);

  title(6, `The same token cannot list the folder of ${globex.name}`);
  const foreign = await withToken(list + encodeURIComponent(`results/${globex.uid}/`), login.accessToken);
  if (foreign.status !== 403) throw new Error(`Another customer's folder answered ${foreign.status}, not 403`);
  console.log(`   ${foreign.status} ${v.parse(Refusal, await foreign.json()).error.message}`);
  await headcounts(ready, acme);
  console.log(`\nDone. The export is in ${shortPath(path)}. ./scripts/start runs the same service until you stop it.`);
}

const OLD_TOWN = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))";

/** Realtime: creates and enables a polygon, fires a tick, and reads the headcount over REST and from the customer's dataset. */
async function headcounts(ready: Ready, { keys, personal_dataset }: Ready["customers"][number]): Promise<void> {
  const key = keys.warehouse ?? "";
  title(7, "How many people are in the old town of Tallinn now? Monitor a polygon");
  const map = { name: "Vanalinn", type: "custom_polygon", geometry: OLD_TOWN };
  const { id } = v.parse(Saved, await request("POST", `${ready.users_base_url}/admin/maps`, key, map));
  await request("POST", `${ready.data_base_url}/admin/realtime`, key, { map_id: id, enable: true });
  const tick = await fetch(ready.functions["realtime-refresh"] ?? "", { method: "POST" });
  console.log(`   the five-minute tick, fired now: ${tick.status}`);
  const { rows } = v.parse(RealtimeDataResponse, await request("GET", `${ready.data_base_url}/admin/realtime/data`, key));
  printTable(rows.map(({ timestamp, target_name, result, subscriber_count }) => ({ timestamp, target_name, result, subscriber_count })));

  title(8, "The same number from the customer's dataset, with a warehouse token and Google's BigQuery client");
  const login = v.parse(LoginResponse, await request("POST", `${ready.users_base_url}/login-with-apikey`, key, { service: "warehouse" }));
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: login.accessToken, expiry_date: Date.parse(login.expireTime) });
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint, authClient });
  const query = `SELECT target_name, timestamp, people_count FROM \`${personal_dataset}.realtime_data\`
   WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR) ORDER BY timestamp DESC LIMIT 20`;
  console.log(`   ${query}`);
  const [found] = await bigquery.query({ query, location: "europe-north1", useQueryCache: false });
  const shared = v.parse(v.array(WarehouseRow), found);
  printTable(shared.map(({ target_name, timestamp, people_count }) => ({ target_name, timestamp: timestamp.value, people_count })));
  const newest = shared.find(({ target_name }) => target_name === map.name)?.people_count;
  const told = rows.find(({ target_id }) => target_id === id)?.subscriber_count;
  if (newest === undefined || newest !== told) throw new Error("The dataset and the API report different headcounts");
}

/** Returns every third hour's count in the direction that is busier over the day. */
function everyThirdHour(rows: v.InferOutput<typeof FlowPreview>["results"]) {
  const total = (direction: number): number => rows.reduce((sum, row) => sum + (row.direction === direction ? (row.people ?? 0) : 0), 0);
  const busier = total(1) >= total(-1) ? 1 : -1;
  return rows
    .filter(({ direction, time_bucket }) => direction === busier && Number(time_bucket?.slice(11, 13)) % 3 === 0)
    .map(({ time_bucket, people }) => ({ label: time_bucket?.slice(11, 16) ?? "", value: people }));
}

const FlowPreview = v.object({ results: v.array(FlowRow) });
const Saved = v.object({ id: v.string() });
const WarehouseRow = v.object({
  target_name: v.string(),
  timestamp: v.object({ value: v.string() }),
  people_count: v.nullable(v.number()),
});
const Listing = v.object({ items: v.array(v.object({ name: v.string(), size: v.string() })) });
const Refusal = v.object({ error: v.object({ message: v.string() }) });

function title(number: number, text: string): void {
  console.log(`\n${number}. ${text}`);
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

async function request(method: string, url: string, key: string, body?: object): Promise<unknown> {
  console.log(`   ${method} ${new URL(url).pathname}${decodeURIComponent(new URL(url).search)}${body ? ` ${JSON.stringify(body)}` : ""}`);
  const headers = { "x-api-key": key, ...(body ? { "content-type": "application/json" } : {}) };
  return readJson(await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }));
}

/** Submits a job, shows its progress until it has finished, and returns its results. */
async function runJob(ready: Ready, key: string, body: object): Promise<unknown> {
  const job = v.parse(SubmitResponse, await request("POST", `${ready.data_base_url}/data-agg`, key, body));
  let status: v.InferOutput<typeof StatusResponse>;
  let shown = "";
  do {
    const answer = await fetch(ready.data_base_url + job.status_url, { headers: { "x-api-key": key } });
    status = v.parse(StatusResponse, await readJson(answer));
    const current = `${status.status} ${status.progress} %`;
    if (current !== shown) output.grow(current);
    shown = current;
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (status.status === "queued" || status.status === "running");
  output.end();
  return request("GET", ready.data_base_url + job.results_url, key);
}

function withToken(url: string, token: string): Promise<Response> {
  console.log(`   GET ${decodeURIComponent(new URL(url).pathname + new URL(url).search)}`);
  return fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

try {
  await main();
} catch (error) {
  output.end();
  console.error(`The demo stopped: ${messageOf(error)}`);
  process.exitCode = 1;
}
