import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../simulation/random.ts";
import { Any, type Client, Created, Failed, Headcounts, JobStand, LoggedIn, MapPage, Submitted } from "./client.ts";
import { emptyLedger, type Ledger } from "./ledger.ts";

/** The customers' clients at work. */
export interface Load {
  readonly ledgers: ReadonlyMap<Client, Ledger>;
  /** Lines of requests that failed. */
  readonly failures: readonly string[];
  /** Resolves when no request is in flight, and lets none begin. */
  readonly pause: () => Promise<void>;
  readonly resume: () => void;
  /** Ends it. */
  readonly stop: () => Promise<void>;
}

const MAPS_MAX = 6;
const DAY_MS = 86_400_000;
/** Between two requests of a client. */
const PAUSE_MS = { least: 5, most: 60 };

/** Lets each client send requests, one after the other, until it is stopped: what customers do, at random. */
export function startLoad(clients: readonly Client[], random: Random): Load {
  const ledgers = new Map(clients.map((client) => [client, emptyLedger()]));
  const failures: string[] = [];
  let isStopped = false;
  let gate: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  const busy = new Set<Promise<void>>();
  const work = async (client: Client, ledger: Ledger): Promise<void> => {
    for (let number = 0; !isStopped; number++) {
      await gate;
      if (isStopped) return;
      const request = act(client, ledger, random, number).catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        failures.push(error.message);
      });
      busy.add(request);
      await request.finally(() => busy.delete(request));
      await delay(random.whole(PAUSE_MS.least, PAUSE_MS.most));
    }
  };
  const ended = Promise.all([...ledgers].map(([client, ledger]) => work(client, ledger)));
  // Told by whoever stops it.
  ended.catch(() => undefined);
  return {
    ledgers,
    failures,
    pause: async () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
      while (busy.size > 0) await Promise.allSettled(busy);
    },
    resume: () => open(),
    stop: async () => {
      isStopped = true;
      open();
      await ended;
    },
  };
}

type Action = (client: Client, ledger: Ledger, random: Random, number: number) => Promise<void>;

/** What a client does, more often where customers do it more often. */
const ACTIONS: readonly (readonly [number, Action])[] = [
  [10, login],
  [10, createMap],
  [8, renameMap],
  [8, toggle],
  [4, deleteMap],
  [3, submit],
  [12, readJob],
  [6, preview],
  [20, readHeadcounts],
  [10, turnPages],
];
const DRAWN = ACTIONS.flatMap(([times, action]) => Array.from({ length: times }, () => action));

function act(client: Client, ledger: Ledger, random: Random, number: number): Promise<void> {
  return random.pick(DRAWN)(client, ledger, random, number);
}

async function login(client: Client): Promise<void> {
  await client.send({ api: "users", method: "POST", path: "/login-with-apikey" }, 200, LoggedIn);
}

async function createMap(client: Client, ledger: Ledger, random: Random, number: number): Promise<void> {
  if (livingMaps(ledger).length >= MAPS_MAX) return deleteMap(client, ledger, random);
  const name = `Map ${number}`;
  const body = { name, type: "custom_polygon", geometry: square(random) };
  const { id } = await client.send({ api: "users", method: "POST", path: "/admin/maps", body }, 201, Created);
  ledger.maps.set(id, { name, isMonitored: false });
  ledger.writes++;
}

async function renameMap(client: Client, ledger: Ledger, random: Random, number: number): Promise<void> {
  const map = someMap(ledger, random);
  if (!map) return;
  const name = `Renamed ${number}`;
  await client.send({ api: "users", method: "PUT", path: `/admin/maps/${map.id}`, body: { name } }, 200, Any);
  ledger.maps.set(map.id, { ...map.known, name });
  ledger.writes++;
}

async function toggle(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const map = someMap(ledger, random);
  if (!map) return;
  const isMonitored = !map.known.isMonitored;
  const body = { map_id: map.id, enable: isMonitored };
  await client.send({ api: "data", method: "POST", path: "/admin/realtime", body }, 200, Any);
  ledger.maps.set(map.id, { ...map.known, isMonitored });
  ledger.writes++;
}

async function deleteMap(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const map = someMap(ledger, random);
  if (!map) return;
  await client.send({ api: "users", method: "DELETE", path: `/admin/maps/${map.id}` }, 200, Any);
  ledger.maps.set(map.id, "deleted");
  ledger.writes++;
}

async function submit(client: Client, ledger: Ledger, random: Random, number: number): Promise<void> {
  const headers = { "idempotency-key": `load-${number}` };
  const body = jobBody(random.chance(0.3));
  const { job_id } = await client.send({ api: "data", method: "POST", path: "/data-agg", body, headers }, 202, Submitted);
  ledger.jobs.add(job_id);
  ledger.writes++;
}

async function readJob(client: Client, ledger: Ledger, random: Random): Promise<void> {
  if (ledger.jobs.size === 0) return;
  await client.send({ api: "data", path: `/data-agg/status/${random.pick([...ledger.jobs])}` }, 200, JobStand);
}

async function preview(client: Client): Promise<void> {
  await client.send({ api: "data", path: previewOf("sum_unique_people") }, 200, Any);
}

async function readHeadcounts(client: Client): Promise<void> {
  await client.send({ api: "data", path: "/admin/realtime/data" }, 200, Headcounts);
}

/** Reads all of its maps page by page: the two versions may each give a page. */
async function turnPages(client: Client, ledger: Ledger): Promise<void> {
  const seen: string[] = [];
  let after = "";
  do {
    const page = await client.send({ api: "users", path: `/admin/maps?limit=2&fields=name${after}` }, 200, MapPage);
    seen.push(...page.maps.map(({ id }) => id));
    after = page.next_cursor ? `&cursor=${page.next_cursor}` : "";
  } while (after !== "");
  const missing = livingMaps(ledger).filter(({ id }) => !seen.includes(id));
  if (missing.length > 0 || new Set(seen).size !== seen.length)
    throw new Failed(`The pages of maps have ${seen.join(", ")}, without ${missing.map(({ id }) => id).join(", ")}`);
}

/** Returns the body of a job of a day of the sample. */
export function jobBody(full: boolean, measure = "sum_unique_people") {
  const day = Math.floor(Date.now() / DAY_MS) - 2;
  const at = (date: number): string => new Date(date * DAY_MS).toISOString();
  const window = { start_time: at(day), end_time: at(day + 1) };
  return { agg_type: "activities", measure, activity_type: "daily", geo_type: "admin_level_2", country_code: "EST", ...window, full };
}

/** Returns the path of a preview of a measure: a municipality of the sample, the day of `jobBody`. */
export function previewOf(measure: string): string {
  const { full: _full, ...query } = jobBody(false, measure);
  return `/data-agg?${new URLSearchParams({ ...query, geo_ids: "784" })}`;
}

/** Returns a square near Tallinn as WKT. */
export function square(random: Random): string {
  const [west, south] = [24.7 + random.next() / 20, 59.42 + random.next() / 50];
  const [east, north] = [west + 0.02, south + 0.01];
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return `POLYGON ((${corners.map((corner) => corner.map((degrees) => degrees.toFixed(5)).join(" ")).join(", ")}))`;
}

function livingMaps({ maps }: Ledger) {
  return [...maps].flatMap(([id, known]) => (known === "deleted" ? [] : [{ id, known }]));
}

function someMap(ledger: Ledger, random: Random) {
  const living = livingMaps(ledger);
  return living.length === 0 ? undefined : random.pick(living);
}
