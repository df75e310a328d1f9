import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Finding } from "../fuzz/finding.ts";
import type { Target } from "../fuzz/target.ts";
import { send, type WireAnswer } from "../fuzz/wire.ts";
import { apiRequest } from "./move.ts";
import type { Party } from "./party.ts";

const Maps = v.object({ maps: v.array(v.object({ id: v.string(), name: v.string() })) });
const Monitored = v.object({ monitored_map_ids: v.array(v.string()) });
const Jobs = v.object({ jobs: v.array(v.object({ job_id: v.string(), status: v.string() })), next_cursor: v.nullable(v.string()) });
const Accounts = v.object({ machineAccounts: v.array(v.object({ keyLabel: v.string() })) });
type Job = v.InferOutput<typeof Jobs>["jobs"][number];

const WAIT_MS_MAX = 120_000;
const POLL_MS = 50;

/** Waits for a party's jobs to end, then compares what it has with what it created: the other party deleted and changed nothing. */
export async function checkBelongings(
  target: Target,
  me: Party,
): Promise<{ readonly findings: readonly Finding[]; readonly lastRequestId: string }> {
  const get = (api: "users" | "data", path: string): Promise<WireAnswer> => send(apiRequest({ target, me }, api, { method: "GET", path }));
  const until = Date.now() + WAIT_MS_MAX;
  let jobs = await allJobs(get);
  while (jobs.some(({ status }) => status === "queued" || status === "running")) {
    if (Date.now() > until) throw new Error(`The jobs of ${me.customer.uid} do not end`);
    await delay(POLL_MS);
    jobs = await allJobs(get);
  }
  const { maps } = v.parse(Maps, JSON.parse((await get("users", "/admin/maps")).text));
  const { monitored_map_ids } = v.parse(Monitored, JSON.parse((await get("users", "/admin/maps/monitored")).text));
  const last = await get("users", `/users/${me.customer.uid}/machine-accounts/list`);
  const { machineAccounts } = v.parse(Accounts, JSON.parse(last.text));
  const monitored = [...me.maps].flatMap(([id, { isMonitored }]) => (isMonitored ? [id] : []));
  const findings = [
    ...differs(
      "maps",
      maps.map(({ id, name }) => `${id} ${name}`),
      [...me.maps].map(([id, { name }]) => `${id} ${name}`),
    ),
    ...differs("monitored maps", monitored_map_ids, monitored),
    ...differs(
      "jobs",
      jobs.map(({ job_id }) => job_id),
      [...me.jobs],
    ),
    ...differs(
      "cancelled jobs",
      jobs.flatMap(({ job_id, status }) => (status === "cancelled" ? [job_id] : [])),
      [...me.cancelled],
    ),
    ...differs(
      "jobs that failed",
      jobs.flatMap(({ job_id, status }) => (status === "failed" ? [job_id] : [])),
      [],
    ),
    ...differs(
      "machine accounts",
      machineAccounts.map(({ keyLabel }) => keyLabel),
      [...me.labels],
    ),
  ];
  return {
    findings: findings.map((what) => ({
      what: [`${me.customer.uid}: ${what}`],
      reproduction: "what it created compared with what it has",
    })),
    lastRequestId: String(last.headers["x-request-id"]),
  };
}

async function allJobs(get: (api: "data", path: string) => Promise<WireAnswer>): Promise<Job[]> {
  const jobs: Job[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: v.InferOutput<typeof Jobs> = v.parse(
      Jobs,
      JSON.parse((await get("data", `/data-agg/jobs?limit=100${cursor && `&cursor=${cursor}`}`)).text),
    );
    jobs.push(...page.jobs);
    cursor = page.next_cursor;
  }
  return jobs;
}

function differs(what: string, has: readonly string[], made: readonly string[]): string[] {
  const [missing, extra] = [made.filter((one) => !has.includes(one)), has.filter((one) => !made.includes(one))];
  return [
    ...(missing.length > 0 ? [`${what}: ${missing.length} are missing or changed, such as ${missing[0]}`] : []),
    ...(extra.length > 0 ? [`${what}: ${extra.length} exist that it never created, such as ${extra[0]}`] : []),
  ];
}
