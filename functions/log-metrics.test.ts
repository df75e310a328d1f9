import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { describe, expect, it, vi } from "vitest";
import logMetrics from "../infra/generated/log-metrics.json" with { type: "json" };
import { asFunction } from "../infra/local/as-function.ts";
import { openLanding } from "../infra/testing/landing.ts";
import { type Entry, entryOf } from "../infra/testing/logging/entry.ts";
import { compileQuery } from "../infra/testing/logging/query.ts";
import { fire } from "../infra/testing/realtime.ts";
import { call, keyOf, newCustomer, ready, runJob } from "../infra/testing/service.ts";
import { INSTANT, memoryTicks } from "../infra/testing/simulation/ticks/memory-ticks.ts";
import { failDeadLettered } from "../shared/aggregation/dead-letter.ts";
import { jobMessageOf } from "../shared/aggregation/dispatch.ts";
import { jobId, openJobPath } from "../shared/aggregation/testing/job-path.ts";
import { countries } from "../shared/countries/countries.ts";
import { openWarehouse } from "../shared/google/bigquery.ts";
import { reportMissingDays } from "../shared/loading/arrivals.ts";
import { completeTick } from "../shared/realtime/complete-tick.ts";
import { LOAD_ATTEMPTS_MAX, loadCustomerTables } from "../shared/realtime/load-customer-tables.ts";
import { ATTEMPTS_MAX } from "../shared/realtime/tick-state.ts";
import { audit } from "../shared/runtime/audit.ts";
import { config } from "../shared/runtime/config.ts";
import { createLog } from "../shared/runtime/log.ts";

import arrivals from "./loading/arrivals.ts";

const HOUR_MS = 3_600_000;

/** What the code writes for one function with a log of its own: the lines that the function would write. */
function recording(service: string) {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), { function: service });
  const entry = (text: string): Entry => entryOf(lines.find((line) => line.includes(text)) ?? `no line of ${service} has ${text}`, service);
  return { log, entry };
}

/** Returns the newest entry of the running service whose line has all these texts. */
async function logged(service: string, ...texts: readonly string[]): Promise<Entry> {
  const file = join(dirname(ready.countries_file), "functions.log");
  const line = await vi.waitFor(
    () => {
      const lines = readFileSync(file, "utf8").split("\n");
      const found = lines.findLast((one) => one.includes(`"function":"${service}"`) && texts.every((text) => one.includes(text)));
      if (found === undefined) throw new Error(`${service} has logged no line with ${texts.join(", ")}`);
      return found;
    },
    { timeout: 60_000, interval: 20 },
  );
  return entryOf(line, service);
}

/** The request's line, and the audit's of a minted token. */
async function requests() {
  const key = keyOf(await newCustomer());
  const login = await call("users", "POST", "/login-with-apikey", { key });
  const id = login.headers.get("x-request-id") ?? "";
  const { id: job } = await runJob(key, {
    ...{ agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" },
    ...{ start_time: "2020-01-01", end_time: "2020-01-02" },
  });
  const token = readFileSync(join(dirname(ready.countries_file), "functions.log"), "utf8")
    .split("\n")
    .find((line) => line.includes(id) && line.includes('"token.mint"'));
  return {
    request: await logged("auth-login", id, '"latencyMs"'),
    token: entryOf(token ?? `no audit entry of ${id}`, "auth-login"),
    job: await logged("aggregation-run", job, "Job completed"),
  };
}

/** The lines of the schedules, of the running service. */
async function schedules() {
  expect(await fire()).toBe(200);
  expect((await fetch(ready.functions["aggregation-sweep"] ?? "", { method: "POST" })).status).toBe(200);
  return { tick: await logged("realtime-refresh", "Headcounts refreshed"), sweep: await logged("aggregation-sweep", '"Swept"') };
}

/** The lines of jobs that go wrong: on the real job path, over a warehouse that does not end or fails. */
async function failures() {
  const sweeper = recording("aggregation-sweep");
  const late = openJobPath({ runningMax: { acme: 1 }, manner: { neverEnds: 1 }, log: sweeper.log });
  await late.submit("acme", false);
  for (const { message } of late.sent.splice(0)) await late.deliver(message);
  await late.advance(7 * HOUR_MS);
  await late.sweep();

  const worker = recording("aggregation-run");
  const failing = openJobPath({ runningMax: { acme: 1 }, manner: { failsForGood: 1 }, log: worker.log });
  await failing.submit("acme", false);
  for (const { message } of failing.sent.splice(0)) await failing.deliver(message);

  const office = recording("aggregation-dead-letter");
  const lost = openJobPath({ runningMax: { acme: 1 } });
  await lost.submit("acme", false);
  await failDeadLettered(jobMessageOf({ id: jobId(1), attempt: 1, step: 0 }), { ...lost.ports, now: lost.now, log: office.log });
  return {
    overdueSweep: sweeper.entry('"Swept"'),
    failedAttempt: worker.entry("An attempt failed"),
    deadLetter: office.entry("A job was given up"),
  };
}

/** The lines of ticks that are late or lost: each statement fails, or the clock is far behind the tick. */
async function ticks() {
  const { log, entry } = recording("realtime-refresh");
  const unused = () => Promise.reject(new Error("A tick without rows writes nothing"));
  const store = memoryTicks().portOf(INSTANT);
  const tick = new Date("2026-01-15T12:00:00Z");
  const run = async (outcome: { state: "done"; rows: [] } | { state: "failed"; reason: string; message: string }) => {
    const { tick: opened } = await store.start(tick, tick);
    await completeTick(
      { ...opened, attempts: { ...opened.attempts, statement: ATTEMPTS_MAX } },
      {
        ...{
          ticks: store,
          log,
          countries: {},
          intervalMs: 300_000,
          loadJobsADayMax: Number.POSITIVE_INFINITY,
          snapshots: { write: unused },
        },
        tables: { list: async () => [], load: unused, held: unused },
        warehouse: { start: async () => undefined, wait: async () => outcome, query: async () => [] },
        now: () => new Date(tick.getTime() + HOUR_MS),
      },
    );
  };
  await run({ state: "done", rows: [] });
  const lateTick = entry("Headcounts refreshed");
  await run({ state: "failed", reason: "bytesBilledLimitExceeded", message: "too much" });
  const row = { tick: tick.toISOString(), timestamp: tick.toISOString(), uid: "acme", target_id: "m", target_name: "M" };
  const dataset = "realtime_customers" as const;
  const table = { dataset, uid: "acme", fill: { before: new Date(0), isDone: true } } as const;
  await loadCustomerTables(tick, [{ ...row, people_count: 20, result: "SUCCESS" }], [table], {
    log,
    tables: {
      // Earlier calls have started all jobs but the last one.
      load: async (_table, id) => ({
        ...{ state: "failed", isMissing: false, message: "too large" },
        isNew: id.endsWith(`_${LOAD_ATTEMPTS_MAX}`),
      }),
      held: unused,
    },
  });
  return { lateTick, lostTick: entry("A tick is given up"), lostLoad: entry("A load of a customer's table is given up") };
}

/** The lines of data that is bad, of the running service, and of a day that did not arrive: nothing has been delivered of this century's end. */
async function deliveries() {
  const landing = openLanding(ready.storage_endpoint, ready.project);
  const folder = "landing/flows_hourly/EST/2020-02-29/";
  await landing.upload(`${folder}bad.csv`, "neither,these,columns\n");
  await landing.upload(`${folder}_SUCCESS`, "");
  const { log, entry } = recording("loading-arrivals");
  const warehouse = openWarehouse(asFunction(config(), arrivals.scheduleName));
  await reportMissingDays(warehouse, { countries: countries(), hour: 6, now: () => new Date("2099-12-31T12:00:00Z"), log });
  return {
    quarantined: await logged("loading-import", "A batch was quarantined", "2020-02-29"),
    missingDay: entry("A day of data did not arrive"),
  };
}

function newNetwork(): Entry {
  const { log, entry } = recording("maps-list");
  audit(log, {
    ...{ action: "key.network", uid: "u", actor: { kind: "key", keyLabel: "storage", keyHint: "abcdef" } },
    ...{ subject: "192.0.2.0/24", requestId: "r", sourceAddress: "192.0.2.1", client: "curl" },
  });
  return entry("key.network");
}

const entries: Readonly<Record<string, Entry>> = {
  ...(await requests()),
  ...(await schedules()),
  ...(await failures()),
  ...(await ticks()),
  ...(await deliveries()),
  network: newNetwork(),
  foreign: {
    ...(await logged("auth-login", '"latencyMs"')),
    resource: { type: "cloud_run_revision", labels: { service_name: "another" } },
  },
};

/** Returns the names of the entries that a filter matches. */
function matching(filter: string): string[] {
  const matches = compileQuery(filter);
  return Object.entries(entries).flatMap(([name, entry]) => (matches(entry) ? [name] : []));
}

describe("over lines that the functions have written", () => {
  it("each counter counts exactly what it says", () => {
    const found = Object.fromEntries(Object.entries(logMetrics.counters).map(([name, { filter }]) => [name, matching(filter)]));
    expect(found).toEqual({
      audit_entries: ["token", "network"],
      function_errors: ["deadLetter", "lostTick", "lostLoad", "quarantined", "missingDay"],
      function_warnings: ["failedAttempt"],
      jobs_completed: ["job"],
      new_networks: ["network"],
      overdue_sweeps: ["overdueSweep"],
      sweeps: ["sweep", "overdueSweep"],
      ticks: ["tick", "lateTick"],
      ticks_ended: ["tick", "lateTick", "lostTick"],
      ticks_fresh: ["tick"],
      ticks_given_up: ["lostTick", "lostLoad"],
    });
  });

  it("each distribution collects a number of exactly the entries that have it", () => {
    const found = Object.entries(logMetrics.distributions).map(([name, { filter }]) => [name, matching(filter)]);
    const sweeps = ["sweep", "overdueSweep"];
    expect(Object.fromEntries(found)).toEqual({
      ...{ job_overhead: ["job"], request_latency: ["request"], tick_age: ["tick", "lateTick"] },
      ...{ sweep_freeplaces: sweeps, sweep_leftovers: sweeps, sweep_overdue: sweeps, sweep_untouched: sweeps },
    });
    for (const { filter, field } of Object.values(logMetrics.distributions))
      for (const name of matching(filter))
        expect(
          v.parse(
            v.number(),
            field.split(".").reduce<unknown>((inner, key) => Object(inner)[key], entries[name]),
          ),
        ).toBeGreaterThanOrEqual(0);
  });

  it("the alert on a job that was given up has its job and customer", () => {
    expect(matching(logMetrics.alerts.job_given_up)).toEqual(["deadLetter"]);
    expect(entries.deadLetter?.jsonPayload).toMatchObject({ jobId: jobId(1), uid: "acme" });
  });

  it("the alert on a missing day has its table, country and date", () => {
    const found = matching(logMetrics.alerts.day_missing);
    expect(found).toEqual(["quarantined", "missingDay"]);
    const Day = v.object({ table: v.string(), country: v.string(), date: v.string() });
    for (const name of found) expect(v.is(Day, entries[name]?.jsonPayload), name).toBe(true);
  });

  it("a completed job tells its time without its query", () => {
    const Job = v.object({ runMs: v.number(), queryMs: v.number(), overheadMs: v.number() });
    const { runMs, queryMs, overheadMs } = v.parse(Job, entries.job?.jsonPayload);
    expect(overheadMs).toBe(Math.max(0, runMs - queryMs));
    expect(runMs).toBeGreaterThan(0);
  });
});
