import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { isOver } from "../../../shared/jobs/job-state.ts";
import { randomOf } from "../simulation/random.ts";
import {
  Any,
  type Call,
  type Client,
  Created,
  Failed,
  Headcounts,
  JobPage,
  JobResults,
  JobStand,
  Page,
  ShownMap,
  Submitted,
} from "./client.ts";
import { jobBody, previewOf, square } from "./load.ts";
import { tellTheSame } from "./same-answers.ts";

/** A customer at two versions: its requests are sent to one or the other. */
export interface Both {
  readonly one: Client;
  readonly other: Client;
}

const NewKey = v.object({ apiKey: v.string() });
/** Longer than a job takes on a machine that does everything at once. */
const JOB_MS = 60_000;
const SAME_MS = 10_000;
const HOUR_MS = 3_600_000;

/**
 * Walks a customer's journeys that meet both versions: what one has written, handed out or begun is read, taken and ended by the other. Throws a
 * `Failed` where the other does not take it. Returns how many journeys were walked, and the ids of the jobs that were submitted at `one`.
 */
export async function walkJourneys(
  { one, other }: Both,
  name: string,
): Promise<{ readonly journeys: number; readonly jobs: readonly string[] }> {
  const submitted = await jobOfBoth({ one, other }, name);
  const walked = [mapOfBoth, pagesOfBoth, accountOfBoth];
  for (const journey of walked) await journey({ one, other }, name);
  return { journeys: walked.length + 1, jobs: submitted };
}

/** Leaves documents of every kind that stay: maps, one of them monitored, jobs and a machine account. Returns the ids of maps and jobs. */
export async function leaveDocuments(client: Client): Promise<readonly string[]> {
  const maps: string[] = [];
  const shapes = [
    { type: "custom_polygon", geometry: square(randomOf(1)) },
    { type: "admin_level_2", ids: [784], country_code: "EST" },
  ];
  for (const shape of shapes) {
    const body = { name: `A map of type ${shape.type}`, ...shape };
    const { id } = await client.send({ api: "users", method: "POST", path: "/admin/maps", body }, 201, Created);
    await client.send({ api: "data", method: "POST", path: "/admin/realtime", body: { map_id: id, enable: true } }, 200, Any);
    maps.push(id);
  }
  const jobs: string[] = [];
  for (const full of [false, true]) {
    const headers = { "idempotency-key": `left-${full}` };
    const { job_id: id } = await client.send(
      { api: "data", method: "POST", path: "/data-agg", body: jobBody(full), headers },
      202,
      Submitted,
    );
    await jobEnds(client, id);
    jobs.push(id);
  }
  await client.send({ api: "data", path: previewOf("sum_unique_people") }, 200, Any);
  const body = { keyLabel: "left" };
  await client.send({ api: "users", method: "POST", path: `/users/${client.uid}/machine-accounts`, body }, 201, NewKey);
  return [...maps, ...jobs];
}

/** A job is submitted at one version under an Idempotency-Key, repeated at the other, and read at both. */
async function jobOfBoth({ one, other }: Both, name: string): Promise<string[]> {
  const ids: string[] = [];
  for (const full of [false, true]) {
    const call: Call = {
      ...{ api: "data", method: "POST", path: "/data-agg" },
      ...{ body: jobBody(full), headers: { "idempotency-key": `${name}-${full}` } },
    };
    const { job_id: id } = await one.send(call, 202, Submitted);
    const again = await other.send(call, 202, Submitted);
    if (again.job_id !== id) throw new Failed(`The job ${id} was submitted again as ${again.job_id}`);
    await jobEnds(other, id);
    await same({ one, other }, { api: "data", path: `/data-agg/status/${id}` }, JobStand);
    const results = await same({ one, other }, { api: "data", path: `/data-agg/results/${id}` }, JobResults);
    if (results.total_rows === 0) throw new Failed(`The job ${id} has no rows`);
    ids.push(id);
  }
  const { jobs } = await same({ one, other }, { api: "data", path: "/data-agg/jobs?limit=100" }, JobPage);
  const missing = ids.find((id) => !jobs.some(({ job_id }) => job_id === id));
  if (missing !== undefined) throw new Failed(`The list of jobs does not have ${missing}`);
  return ids;
}

/** A map is created at one version, monitored and renamed at the other with the first one's ETag, read at both, and deleted. */
async function mapOfBoth({ one, other }: Both, name: string): Promise<void> {
  const body = { name, type: "custom_polygon", geometry: square(randomOf(1)) };
  const { id } = await one.send({ api: "users", method: "POST", path: "/admin/maps", body }, 201, Created);
  await other.send({ api: "data", method: "POST", path: "/admin/realtime", body: { map_id: id, enable: true } }, 200, Any);
  const path = `/admin/maps/${id}`;
  const headers = { "if-match": (await one.ask({ api: "users", path })).headers.get("etag") ?? "" };
  const renamed = `${name}, renamed`;
  await other.send({ api: "users", method: "PUT", path, body: { name: renamed }, headers }, 200, Any);
  const shown = await same({ one, other }, { api: "users", path }, ShownMap);
  if (shown.name !== renamed || !shown.is_monitored) throw new Failed(`The map ${id} is ${JSON.stringify(shown)}`);
  await same({ one, other }, { api: "data", path: "/admin/realtime/data" }, Headcounts);
  const [from, to] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + HOUR_MS)].map((time) => time.toISOString());
  await same({ one, other }, { api: "data", path: `/admin/realtime/history?map_id=${id}&start_time=${from}&end_time=${to}` }, Page);
  await other.send({ api: "users", method: "DELETE", path }, 200, Any);
  await one.send({ api: "users", path }, 404, Any);
}

/** Pages: the cursor of one version is taken by the other, which gives the same next page. */
async function pagesOfBoth({ one, other }: Both): Promise<void> {
  const lists = [
    { api: "data", path: "/data-agg/jobs?limit=1" },
    { api: "data", path: "/geographies?geo_type=admin_level_2&limit=5" },
    { api: "users", path: "/admin/maps?limit=1" },
  ] as const;
  const created = [1, 2].map((seed) => ({ name: `Page ${seed}`, type: "custom_polygon", geometry: square(randomOf(seed)) }));
  const maps: string[] = [];
  for (const body of created) maps.push((await one.send({ api: "users", method: "POST", path: "/admin/maps", body }, 201, Created)).id);
  for (const { api, path } of lists) {
    const { next_cursor: cursor } = await one.send({ api, path }, 200, Page);
    if (!cursor) throw new Failed(`${path} has one page`);
    await same({ one, other }, { api, path: `${path}&cursor=${cursor}` }, Page);
  }
  for (const id of maps) await other.send({ api: "users", method: "DELETE", path: `/admin/maps/${id}` }, 200, Any);
}

/** A machine account is created at one version, its key opens the other, which rotates it, and the new key opens the first. */
async function accountOfBoth({ one, other }: Both, name: string): Promise<void> {
  const path = `/users/${one.uid}/machine-accounts`;
  const body = { keyLabel: name };
  const { apiKey: first } = await one.send({ api: "users", method: "POST", path, body }, 201, NewKey);
  const me = (key: string): Call => ({ api: "users", path: "/users/me", headers: { "x-api-key": key } });
  await other.send(me(first), 200, Any);
  const { apiKey: second } = await other.send({ api: "users", method: "POST", path, body }, 200, NewKey);
  await one.send(me(second), 200, Any);
  await one.send(me(first), 401, Any);
  await one.send({ api: "users", method: "DELETE", path: `${path}/${name}` }, 200, Any);
  await other.send(me(second), 401, Any);
}

/** Reads the same from both versions, again while a write is under way. Throws a `Failed` if one keeps telling otherwise than the other. */
async function same<const Schema extends v.GenericSchema>(
  { one, other }: Both,
  call: Call,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const until = Date.now() + SAME_MS;
  for (;;) {
    const [first, second] = [await one.send(call, 200, schema), await other.send(call, 200, schema)];
    if (tellTheSame(first, second)) return first;
    if (Date.now() > until) throw new Failed(`${call.path} differs: ${JSON.stringify(first)} and ${JSON.stringify(second)}`);
  }
}

async function jobEnds(client: Client, id: string): Promise<void> {
  const until = Date.now() + JOB_MS;
  for (;;) {
    const { status, error } = await client.send({ api: "data", path: `/data-agg/status/${id}` }, 200, JobStand);
    if (status === "completed") return;
    if (isOver({ status }) || Date.now() > until) throw new Failed(`The job ${id} is ${status}: ${error}`);
    await delay(50);
  }
}
