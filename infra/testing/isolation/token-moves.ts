import { encodePageToken } from "../../local/storage/page-token.ts";
import type { WireRequest } from "../fuzz/wire.ts";
import { hasStatus, type Move, membersOf, pickFrom, type Turn } from "./move.ts";

/** Returns a GET to the storage server with a party's token. The target is sent as it is. */
function storageRequest({ target: { ready }, me }: Turn, target: string, method = "GET"): WireRequest {
  return { base: ready.storage_endpoint, method, target, headers: [["authorization", `Bearer ${me.tokens.storage}`]], body: undefined };
}

/** Returns the targets of a list by the JSON API and by the XML API. */
function listsOf(bucket: string, query: string): string[] {
  return [`/storage/v1/b/${bucket}/o?${query}`, `/${bucket}?list-type=2&${query}`];
}

/** Checks that a request for the other party's data is refused. */
function mustBeRefused(status: number, text: string): string[] {
  return status >= 400 && status < 500 ? [] : [`status ${status} for the other party's data: ${text.slice(0, 200)}`];
}

/** A party lists its folder with its token, or reads a file in it. */
export function readOwnFolder(turn: Turn): Move {
  const { chance, me, target } = turn;
  const bucket = target.ready.export_bucket;
  const file = pickFrom(chance, me.files);
  const list = chance.pick(listsOf(bucket, `prefix=results/${me.customer.uid}/`));
  return {
    what: "read one's own folder",
    request: storageRequest(turn, file === undefined || chance.oneIn(2) ? list : `/${bucket}/${file}`),
    judge: (answer) => hasStatus(answer, 200),
  };
}

/** A party reads the other party's folder with its token, by every name that could be mistaken for it. */
export function readForeignFolder(turn: Turn): Move {
  const { chance, me, other, target } = turn;
  const bucket = target.ready.export_bucket;
  const [own, foreign] = [`results/${me.customer.uid}`, `results/${other.customer.uid}`];
  const file = pickFrom(chance, other.files) ?? `${foreign}/x/manifest.json`;
  const rest = file.slice(foreign.length);
  const prefixes = [
    `${foreign}/`,
    foreign,
    "results/",
    "",
    `${own.slice(0, -1)}`,
    own,
    `/${foreign}/`,
    `results//${other.customer.uid}/`,
    file,
  ];
  const names = [file, `/${file}`, `results//${other.customer.uid}${rest}`, `x/../${file}`, file.replace("results/", "results/./")];
  const escapes = [
    `${own}/../${other.customer.uid}${rest}`,
    `${own}/%2e%2e/${other.customer.uid}${rest}`,
    `${own}/..%2f${other.customer.uid}${rest}`,
    `${own}//../../${file}`,
  ];
  const object = (name: string): string => `/storage/v1/b/${bucket}/o/${encodeURIComponent(name)}`;
  const targets = [
    ...prefixes.flatMap((prefix) => listsOf(bucket, `prefix=${encodeURIComponent(prefix)}`)),
    ...[...names, ...escapes].flatMap((name) => [
      object(name),
      `${object(name)}?alt=media`,
      `/download${object(name)}?alt=media`,
      `/${bucket}/${name}`,
    ]),
    `/storage/v1/b/${bucket}`,
    "/storage/v1/b?project=demo-local",
    `/${bucket}/`,
  ];
  return {
    what: "read a foreign folder",
    request: storageRequest(turn, chance.pick(targets)),
    judge: ({ status, text }) => mustBeRefused(status, text),
  };
}

/** A party uses a signed URL: as it is, with the name of the other party's file, or with the account of the other party. */
export function useSignedUrl(turn: Turn): Move {
  const { chance, me, other, target } = turn;
  // The newest ones: a signed URL ends after a quarter of an hour.
  const url = pickFrom(chance, me.urls.slice(-30));
  if (url === undefined) return readOwnFolder(turn);
  const { pathname, search } = new URL(url);
  const file = pickFrom(chance, other.files) ?? `results/${other.customer.uid}/x/manifest.json`;
  const use = (path: string): WireRequest => ({ ...storageRequest(turn, path), headers: [] });
  if (chance.oneIn(3))
    return { what: "use one's own signed URL", request: use(pathname + search), judge: (answer) => hasStatus(answer, 200) };
  const account = search.replace(`storage-${me.customer.uid}%40`, `storage-${other.customer.uid}%40`);
  const paths = [`/${target.ready.export_bucket}/${file}${search}`, pathname + account, `/${target.ready.export_bucket}/${file}${account}`];
  return {
    what: "use a signed URL for a foreign file",
    request: use(chance.pick(paths)),
    judge: ({ status, text }) => mustBeRefused(status, text),
  };
}

/** A party lists its own folder with the other party's offsets. The response may hold only its own files. */
export function listAcross(turn: Turn): Move {
  const { me, other, target, chance } = turn;
  const [own, foreign] = [`results/${me.customer.uid}/`, `results/${other.customer.uid}/`];
  const [json = "", xml = ""] = listsOf(target.ready.export_bucket, `prefix=${encodeURIComponent(own)}&`);
  const offsets = [
    `startOffset=${foreign}`,
    `endOffset=${foreign}~`,
    `startOffset=results/&endOffset=${foreign}~`,
    "delimiter=/",
    `delimiter=/&includeTrailingDelimiter=true&pageToken=${encodePageToken({ entry: foreign, isPrefix: true, isObjectNext: true })}`,
    "delimiter=isolation",
    "maxResults=1",
  ];
  const token = encodePageToken({ entry: foreign, isPrefix: false });
  const starts = [`start-after=${foreign}`, `start-after=results/`, `continuation-token=${token}`, "delimiter=/", "max-keys=1"];
  return {
    what: "list one's own folder with offsets",
    request: storageRequest(turn, chance.oneIn(2) ? json + chance.pick(offsets) : xml + chance.pick(starts)),
    judge: (answer) => hasStatus(answer, 200),
  };
}

/** A party overwrites, copies or deletes files of either party. A token is read-only, so all are refused. */
export function writeWithToken(turn: Turn): Move {
  const { chance, me, other, target } = turn;
  const bucket = target.ready.export_bucket;
  const file = encodeURIComponent(pickFrom(chance, [...other.files, ...me.files]) ?? "x");
  const object = `/storage/v1/b/${bucket}/o/${file}`;
  const to = encodeURIComponent(`results/${me.customer.uid}/copy`);
  const [method, path] = chance.pick([
    ["DELETE", object],
    ["PATCH", object],
    ["POST", `${object}/rewriteTo/b/${bucket}/o/${to}`],
    ["POST", `/upload/storage/v1/b/${bucket}/o?uploadType=media&name=${to}`],
  ] as const);
  return {
    what: "write with a token",
    request: storageRequest(turn, path, method),
    judge: ({ status, text }) => mustBeRefused(status, text),
  };
}

function queryRequest({ target: { ready }, me }: Turn, query: string, token = me.tokens.warehouse): WireRequest {
  const headers = [
    ["authorization", `Bearer ${token}`],
    ["content-type", "application/json"],
  ] as const;
  const body = Buffer.from(JSON.stringify({ query, useLegacySql: false, location: "europe-north1" }));
  return { base: ready.bigquery_endpoint, method: "POST", target: `/bigquery/v2/projects/${ready.project}/queries`, headers, body };
}

const RECENT = "timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY)";

/** A party queries its own dataset. */
export function queryOwnDataset(turn: Turn): Move {
  const { me } = turn;
  return {
    what: "query one's own dataset",
    request: queryRequest(
      turn,
      `SELECT target_name, timestamp, people_count FROM \`customer_${me.customer.uid}.realtime_data\` WHERE ${RECENT} ORDER BY timestamp DESC LIMIT 200`,
    ),
    judge: (answer) => {
      const { jobReference } = membersOf(answer);
      if (typeof jobReference === "object" && jobReference !== null && "jobId" in jobReference) me.queries.push(String(jobReference.jobId));
      return hasStatus(answer, 200);
    },
  };
}

/** A party queries data of the other party or of all customers: other datasets, tables behind its view, and the other's query jobs. */
export function queryForeignDataset(turn: Turn): Move {
  const { chance, me, other, target } = turn;
  const { project } = target.ready;
  const [own, foreign] = [`customer_${me.customer.uid}`, `customer_${other.customer.uid}`];
  const queries = [
    `SELECT * FROM \`${foreign}.realtime_data\` WHERE ${RECENT}`,
    `SELECT * FROM \`${project}.${foreign}.realtime_data\` WHERE ${RECENT}`,
    `SELECT target_name FROM \`${own}.realtime_data\` WHERE ${RECENT} UNION ALL SELECT target_name FROM \`${foreign}.realtime_data\` WHERE ${RECENT}`,
    `WITH realtime_data AS (SELECT * FROM \`${foreign}.realtime_data\` WHERE ${RECENT}) SELECT * FROM realtime_data`,
    `SELECT (SELECT MAX(target_name) FROM \`${foreign}.realtime_data\` WHERE ${RECENT}) AS name`,
    `SELECT * FROM \`realtime.headcounts\` WHERE ${RECENT}`,
    `SELECT * FROM \`realtime_customers.headcounts_${other.customer.uid}\` WHERE ${RECENT}`,
    `SELECT * FROM \`realtime_customers.headcounts_${me.customer.uid}\` WHERE ${RECENT}`,
    "SELECT table_name FROM `realtime_customers.INFORMATION_SCHEMA.TABLES`",
    "SELECT * FROM `realtime.monitored_maps`",
    "SELECT * FROM `realtime.map_cells`",
    `SELECT * FROM \`${own}0.realtime_data\``,
    "SELECT * FROM `realtime.presence` WHERE tick > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)",
    "SELECT * FROM `intake.presence` WHERE tick > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)",
    "SELECT devices FROM `intake.activities_hourly` WHERE loaded_on > '1970-01-01'",
    "SELECT * FROM `intake.INFORMATION_SCHEMA.TABLES`",
    `SELECT * FROM \`${foreign}.INFORMATION_SCHEMA.TABLES\``,
    `SELECT v.view_definition FROM \`${project}\`.${foreign}.INFORMATION_SCHEMA.VIEWS AS v, ${own}.INFORMATION_SCHEMA.TABLES`,
    "SELECT * FROM `region-europe-north1`.INFORMATION_SCHEMA.JOBS_BY_USER",
    `CREATE TABLE \`${own}.x\` AS SELECT 1 AS a`,
    `DROP VIEW \`${foreign}.realtime_data\``,
  ];
  const jobs = other.queries.slice(-3).flatMap((id) => [`queries/${id}`, `jobs/${id}`].map((path) => `${path}?location=europe-north1`));
  const paths = [
    ...jobs,
    `datasets/${foreign}`,
    `datasets/${foreign}/tables`,
    `datasets/${foreign}/tables/realtime_data`,
    `datasets/${foreign}/tables/realtime_data/data`,
    "datasets/intake",
    "datasets/intake/tables",
    "datasets/intake/tables/activities_hourly/data",
  ];
  const bearer = ["authorization", `Bearer ${me.tokens.warehouse}`] as const;
  const read = { base: target.ready.bigquery_endpoint, method: "GET", headers: [bearer], body: undefined };
  const request = chance.oneIn(3)
    ? { ...read, target: `/bigquery/v2/projects/${project}/${chance.pick(paths)}` }
    : queryRequest(turn, chance.pick(queries), chance.oneIn(4) ? me.tokens.storage : me.tokens.warehouse);
  return { what: "query a foreign dataset", request, judge: ({ status, text }) => (status === 501 ? [] : mustBeRefused(status, text)) };
}
