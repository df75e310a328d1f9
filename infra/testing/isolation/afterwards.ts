import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import type { Finding } from "../fuzz/finding.ts";
import { exportedContent, exportedNames } from "../fuzz/operator.ts";
import { openStored } from "../fuzz/stored.ts";
import { functionsLog, type Target } from "../fuzz/target.ts";
import { foreignRows, type Party, thingsIn } from "./party.ts";

/** What was searched after the run, and what was found. */
export interface Searched {
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

type Pair = readonly [me: Party, other: Party];

function found(what: string, things: readonly string[], where: string): Finding[] {
  return things.length === 0
    ? []
    : [{ what: [`${what} holds ${[...new Set(things)].slice(0, 3).join(", ")}, which belongs to the other party`], reproduction: where }];
}

/** Searches the files of both folders: names and contents. */
export async function searchFiles({ ready }: Target, pairs: readonly Pair[]): Promise<Searched> {
  const findings: Finding[] = [];
  let files = 0;
  for (const [me, other] of pairs) {
    const folder = `results/${me.customer.uid}/`;
    for (const name of await exportedNames(ready, folder)) {
      files += 1;
      const content = await exportedContent(ready, name);
      const text = (name.endsWith(".gz") ? gunzipSync(content) : content).toString("latin1");
      findings.push(...found("a file", thingsIn(name + text, other), name));
      findings.push(...foreignRows(text, other).map((what) => ({ what: [what], reproduction: name })));
      const job = name.slice(folder.length).split("/")[0] ?? "";
      if (!me.jobs.has(job)) findings.push({ what: [`a file is of a job that ${me.customer.uid} never submitted`], reproduction: name });
    }
  }
  return { counts: { "files searched": files }, findings };
}

/** Searches the Firestore documents of both parties. */
export async function searchDocuments(target: Target, pairs: readonly Pair[]): Promise<Searched> {
  const stored = openStored(target);
  try {
    const findings: Finding[] = [];
    let documents = 0;
    for (const [me, other] of pairs)
      for (const [path, text] of await stored.dump(me.customer.uid)) {
        documents += 1;
        findings.push(...found("a document", thingsIn(`${path} ${text}`, other), path));
      }
    return { counts: { "documents searched": documents }, findings };
  } finally {
    await stored.close();
  }
}

const ROWS = [
  ["europe-north1", "SELECT uid, map_id AS target_id, name FROM `realtime.monitored_maps`"],
  [
    "europe-north1",
    "SELECT uid, target_id, target_name AS name FROM `realtime.headcounts` WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)",
  ],
] as const;
const OWN = [
  ["europe-north1", "realtime_customers"],
  ["EU", "realtime_eu"],
] as const;
const Rows = v.array(v.object({ uid: v.string(), target_id: v.string(), name: v.string() }));
const ViewRows = v.array(v.object({ target_name: v.string() }));

/** Searches the warehouse: the rows of each party for the other's maps, and the rows that each party's views show. */
export async function searchRows({ ready }: Target, pairs: readonly Pair[]): Promise<Searched> {
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint });
  const shared = await searchSharedTables(bigquery, pairs);
  const own = await searchOwnTables(bigquery, pairs);
  const views = await searchViews(bigquery, pairs);
  return {
    counts: { "warehouse rows searched": shared.rows + own.rows, "rows of views searched": views.rows },
    findings: [...shared.findings, ...own.findings, ...views.findings],
  };
}

interface SearchedRows {
  readonly rows: number;
  readonly findings: readonly Finding[];
}

async function searchSharedTables(bigquery: BigQuery, pairs: readonly Pair[]): Promise<SearchedRows> {
  const findings: Finding[] = [];
  let rows = 0;
  for (const [location, query] of ROWS)
    for (const row of v.parse(Rows, (await bigquery.query({ query, location }))[0]))
      for (const [, other] of pairs.filter(([me]) => row.uid === me.customer.uid)) {
        rows += 1;
        findings.push(...found(`a row of ${row.uid}`, thingsIn(JSON.stringify(row), other), query));
      }
  return { rows, findings };
}

async function searchOwnTables(bigquery: BigQuery, pairs: readonly Pair[]): Promise<SearchedRows> {
  const findings: Finding[] = [];
  let rows = 0;
  for (const [me, other] of pairs)
    for (const [location, dataset] of OWN) {
      const { uid } = me.customer;
      const query = `SELECT uid, target_id, target_name AS name FROM \`${dataset}.headcounts_${uid}\` WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)`;
      for (const row of v.parse(Rows, (await bigquery.query({ query, location }))[0])) {
        rows += 1;
        const foreign = row.uid === uid ? thingsIn(JSON.stringify(row), other) : [row.uid];
        findings.push(...found(`a row of the table of ${uid}`, foreign, query));
      }
    }
  return { rows, findings };
}

async function searchViews(bigquery: BigQuery, pairs: readonly Pair[]): Promise<SearchedRows> {
  const findings: Finding[] = [];
  let rows = 0;
  for (const [me, other] of pairs)
    for (const [location, view] of [
      ["europe-north1", `customer_${me.customer.uid}.realtime_data`],
      ["EU", `customer_${me.customer.uid}_eu.target_country_summary_view_customer`],
    ] as const) {
      const query = `SELECT target_name FROM \`${view}\` WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY)`;
      const shown = v.parse(ViewRows, (await bigquery.query({ query, location }))[0]);
      rows += shown.length;
      findings.push(...shown.flatMap((row) => found("a row of a view", thingsIn(JSON.stringify(row), other), query)));
    }
  return { rows, findings };
}

const Line = v.object({ uid: v.optional(v.string()) });
const LOG_MS_MAX = 10_000;

/** Searches the functions' log: no line of one party may name the other, none may name both, and none may hold a key or a token. */
export async function searchLog(target: Target, [one, other]: Pair, lastRequestId: string): Promise<Searched> {
  const until = Date.now() + LOG_MS_MAX;
  let text = await readFile(functionsLog(target), "utf8");
  while (!text.includes(lastRequestId) && Date.now() < until) {
    await delay(10);
    text = await readFile(functionsLog(target), "utf8");
  }
  const findings: Finding[] = [];
  let lines = 0;
  for (const line of text.split("\n")) {
    const [ofOne, ofOther] = [thingsIn(line, one), thingsIn(line, other)];
    if (ofOne.length + ofOther.length === 0) continue;
    lines += 1;
    const parsed = v.safeParse(Line, parsedJson(line));
    const uid = parsed.success ? parsed.output.uid : undefined;
    if (ofOne.length > 0 && (ofOther.length > 0 || uid === other.customer.uid)) findings.push(...found("a line of the log", ofOne, line));
    if (ofOther.length > 0 && uid === one.customer.uid) findings.push(...found("a line of the log", ofOther, line));
    const secrets = [...one.secrets, ...other.secrets].filter((secret) => line.includes(secret));
    if (secrets.length > 0) findings.push({ what: ["a line of the log holds a key or a token"], reproduction: line.slice(0, 500) });
  }
  if (!text.includes(lastRequestId)) findings.push({ what: ["the last request was never logged"], reproduction: functionsLog(target) });
  return { counts: { "log lines searched": lines }, findings };
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
