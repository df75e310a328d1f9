import { isObject } from "../fuzz/json-schema.ts";
import { keepNewest } from "./map-moves.ts";
import { apiRequest, hasStatus, likeUnknown, type Move, membersOf, pickFrom, type Turn } from "./move.ts";

/** A well-formed id that belongs to nobody. */
export const NO_JOB = "00000000-0000-4000-8000-000000000000";

function jobBody({ chance, me, day, serial }: Turn): Readonly<Record<string, unknown>> {
  const full = chance.oneIn(3) ? { full: true, format: chance.pick(["json", "csv"]) } : {};
  const towns = me.geoIds.admin_level_2?.slice(0, 4);
  const cells = me.geoIds.grid_1000m?.slice(0, 12);
  const activities = {
    agg_type: "activities",
    measure: "sum_unique_people",
    activity_type: chance.pick(["hourly", "daily"]),
    geo_type: "admin_level_2",
    geo_ids: towns,
  };
  // The measure of a matrix is any word. It becomes part of the folder's name and of the manifest.
  const measure = `${me.marker}_${serial()}`;
  const odm = {
    agg_type: "odm",
    measure,
    origin_geo_type: "grid_1000m",
    destination_geo_type: "grid_1000m",
    origin_geo_ids: cells,
    destination_geo_ids: cells,
  };
  return { country_code: "EST", ...day, ...full, ...(chance.oneIn(2) ? activities : odm) };
}

/** A party submits a job, often under an idempotency key: its own, or one that both parties use. */
export function submitJob(turn: Turn): Move {
  const { chance, me, other, serial } = turn;
  const body = jobBody(turn);
  const name = chance.pick([
    undefined,
    `${me.marker} "${serial()}"`,
    `both ${chance.whole(1, 5)}`,
    pickFrom(chance, other.submissions.keys()),
    `${other.customer.uid} %0a`,
  ]);
  const headers = name === undefined ? [] : [["idempotency-key", name] as const];
  const isKnown = name !== undefined && me.submissions.has(name);
  return {
    what: "submit a job",
    // Of two concurrent submissions under one key, the order is unknown.
    changes: name,
    request: apiRequest(turn, "data", { method: "POST", path: "/data-agg", body, headers }),
    judge: (answer) => {
      const { job_id: id } = membersOf(answer);
      if (typeof id === "string") {
        me.jobs.add(id);
        if (name !== undefined) me.submissions.set(name, id);
        if (other.jobs.has(id)) return [`the job ${id} belongs to the other party`];
      }
      // Only a key that this party has used before can conflict, or refer to a job.
      return hasStatus(answer, 202, ...(isKnown ? [422] : []), ...(me.jobs.size > 100 ? [429] : []));
    },
  };
}

/** Returns a request of each operation that takes a job's id. */
export function jobCalls(turn: Pick<Turn, "target" | "me">, id: string) {
  return [
    ["aggregation-status", apiRequest(turn, "data", { method: "GET", path: `/data-agg/status/${id}` })],
    ["aggregation-results", apiRequest(turn, "data", { method: "GET", path: `/data-agg/results/${id}` })],
    ["aggregation-cancel", apiRequest(turn, "data", { method: "POST", path: `/data-agg/cancel/${id}` })],
    ["aggregation-urls", apiRequest(turn, "data", { method: "POST", path: `/data-agg/results/${id}/urls` })],
  ] as const;
}

/** A party reads the status of its own job, fetches its results, signs URLs of its files, or cancels it. */
export function lookAtJob(turn: Turn): Move {
  const { chance, me } = turn;
  const id = pickFrom(chance, [...me.jobs].slice(-30));
  if (id === undefined) return submitJob(turn);
  const [status, results, cancel, urls] = jobCalls(turn, id);
  const [operation, request] = chance.oneIn(8) ? cancel : chance.oneIn(3) ? status : chance.oneIn(3) ? urls : results;
  return {
    what: `${operation} of a job`,
    request,
    judge: (answer) => {
      const { gs_uri, files, urls: signed } = membersOf(answer);
      for (const { url } of objectsIn(signed)) me.urls.push(String(url));
      if (operation === "aggregation-cancel" && answer.status === 200) me.cancelled.add(id);
      if (typeof gs_uri === "string")
        for (const { name } of objectsIn(files)) me.files.add(`${gs_uri.slice(gs_uri.indexOf("results/"))}${String(name)}`);
      return hasStatus(answer, 200, 202, 409);
    },
  };
}

function objectsIn(list: unknown) {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A party reads, fetches, signs URLs of, or cancels the other party's job. */
export function touchForeignJob(turn: Turn): Move {
  const { chance, other } = turn;
  const [operation, request] = chance.pick(jobCalls(turn, pickFrom(chance, other.jobs) ?? NO_JOB));
  return { what: `${operation} of a foreign job`, request, judge: (answer) => likeUnknown(turn, operation, answer) };
}

/** A party lists its jobs, from the beginning or from its own or the other party's cursor. */
export function listJobs(turn: Turn): Move {
  const { chance, me, other } = turn;
  const cursor = pickFrom(chance, chance.oneIn(2) ? other.cursors.jobs : me.cursors.jobs);
  const filter = chance.pick(["", "&agg_type=odm", "&status=completed"]);
  return {
    what: "list jobs",
    request: apiRequest(turn, "data", {
      method: "GET",
      path: `/data-agg/jobs?limit=${chance.pick([2, 100])}${cursor === undefined ? "" : `&cursor=${cursor}`}${filter}`,
    }),
    judge: (answer) => {
      const { next_cursor } = membersOf(answer);
      if (typeof next_cursor === "string" && !other.cursors.jobs.includes(next_cursor)) keepNewest(me.cursors.jobs, next_cursor);
      return hasStatus(answer, 200);
    },
  };
}

/** A party requests a synchronous preview of its own geographies, or an estimate of a job. */
export function askAtOnce(turn: Turn): Move {
  const { chance, me, day } = turn;
  const towns = me.geoIds.admin_level_2?.slice(0, 3).join(",");
  // No matrix: a preview has all destinations of an origin, also those that only the other party asks for.
  const product = `agg_type=activities&measure=stays_count&activity_type=hourly&geo_type=admin_level_2&geo_ids=${towns}${chance.pick(["", "&format=columns"])}`;
  const query = `${product}&country_code=EST&start_time=${day.start_time}&end_time=${day.end_time}`;
  return {
    what: "request a preview or an estimate",
    request: chance.oneIn(2)
      ? apiRequest(turn, "data", { method: "GET", path: `/data-agg?${query}` })
      : apiRequest(turn, "data", { method: "POST", path: "/data-agg/estimate", body: jobBody(turn) }),
    judge: (answer) => hasStatus(answer, 200),
  };
}
