import { describe, expect, it } from "vitest";
import { INSTANT, memoryTicks } from "../../infra/testing/simulation/ticks/memory-ticks.ts";
import { type Outcome, outcomeWith } from "../google/bigquery.ts";
import { rowsOf, type Statement } from "../google/statement.ts";
import { ShuttingDown } from "../runtime/shutdown-signal.ts";
import type { CustomerTable, TableLoadOutcome } from "./customer-tables.ts";
import { type RefreshContext, refreshHeadcounts } from "./refresh.ts";
import { ATTEMPTS_MAX } from "./tick-state.ts";

const TICK = new Date("2026-01-15T12:00:00Z");
const instant = (value: string) => ({ value });
const JOB = "refresh_20260115T120000000";
const LEDGER = ["2026-01-14T09:40:00.000Z", "2026-01-15T11:55:00.000Z"];
const row = (uid: string, tick: string) => ({
  ...{ tick: instant(tick), timestamp: instant("2026-01-15T11:55:00Z"), uid, target_id: `${uid}-map` },
  ...{ target_name: "A map", people_count: 7, result: "SUCCESS" },
});
const FAILED: Outcome = { state: "failed", reason: "backendError", message: "try later" };
const RUNNING: Outcome = { state: "running", progress: 50 };
const DONE: Outcome = { state: "done", rows: [] };

/** Returns the time this many minutes after the tick. */
const at = (minutes: number): Date => new Date(TICK.getTime() + minutes * 60_000);

const FILLED = { before: new Date("2026-01-01T00:00:00Z"), isDone: true };
const TABLES: readonly CustomerTable[] = ["acme", "globex"].map((uid) => ({ dataset: "realtime_eu", uid, fill: FILLED }));

interface Given {
  readonly outcomes?: Outcome[][];
  readonly loads?: Record<string, string | Error | undefined>;
  readonly tables?: readonly CustomerTable[];
  readonly measured?: readonly ReturnType<typeof row>[];
}

/**
 * In-memory dependencies of a refresh. `outcomes` are the results of waits, by attempt; `loads` those of the loads of the tables,
 * by the beginning of the job's id: an error, the message of a failing job, "missing", or else they succeed. Each customer has a table, and
 * `tables` may have others. Tests set the clock.
 */
function world({ outcomes = [[DONE]], loads = {}, tables = TABLES, measured = [] }: Given = {}) {
  const jobs = new Map<string, TableLoadOutcome>();
  const started: string[] = [];
  const statements: Statement[] = [];
  const written: string[] = [];
  const loaded: string[] = [];
  const logged: unknown[] = [];
  const clock = { now: TICK };
  const ticks = memoryTicks();
  const ledger = LEDGER.map((tick) => ({ tick: instant(tick) }));
  const refresher: RefreshContext = {
    warehouse: {
      start: async (id, statement) => {
        started.push(id);
        statements.push(statement);
      },
      wait: async (_id, statement) => outcomeWith(statement, outcomes[started.length - 1]?.shift() ?? RUNNING),
      query: async (statement) =>
        rowsOf(
          statement,
          statement.sql.includes("mobility.batches")
            ? ledger
            : [...["acme", "globex", "acme"].map((uid) => row(uid, String(statement.parameters.tick?.value))), ...measured],
        ),
    },
    intervalMs: 300_000,
    loadJobsADayMax: Number.POSITIVE_INFINITY,
    tables: {
      list: async () => tables,
      held: async (_table, rows) => rows.filter(({ target_id }) => target_id.endsWith("held")),
      load: async (table, id, rows) => {
        const known = jobs.get(id);
        if (known) return known.state === "done" ? known : { ...known, isNew: false };
        const [, fate] = Object.entries(loads).find(([prefix]) => id.includes(prefix)) ?? [];
        if (fate instanceof Error) {
          delete loads[id];
          throw fate;
        }
        const failed = { state: "failed", isMissing: fate === "missing", isNew: true, message: fate ?? "" } as const;
        const outcome = fate === undefined ? ({ state: "done" } as const) : failed;
        jobs.set(id, outcome);
        if (fate === undefined) loaded.push(`${id.slice(27)} ${rows.length}`);
        if (rows.some(({ uid }) => uid !== table.uid)) throw new Error("the row of another customer");
        return outcome;
      },
    },
    snapshots: { write: async (uid, _tick, rows) => void written.push(`${uid} ${rows.length}`) },
    ticks: ticks.portOf(INSTANT),
    tickMs: 300_000,
    countries: {},
    now: () => clock.now,
    log: (severity, message, fields) => {
      if (severity === "ERROR") logged.push([message, fields?.tick]);
    },
  };
  const standing = () => Object.fromEntries(ticks.all().map(({ tick, state }) => [tick.toISOString().slice(11, 16), state]));
  return { refresher, jobs, started, statements, written, loaded, logged, clock, standing };
}

describe("a refresh", () => {
  it("writes each customer's rows and loads its table, with job ids that contain the tick", async () => {
    const { refresher, started, written, loaded } = world();
    await refreshHeadcounts(TICK, refresher);
    expect(started).toEqual(["refresh_20260115T120000000_1"]);
    expect(written.sort()).toEqual(["acme 2", "globex 1"]);
    expect(loaded).toEqual(["realtime_eu_acme_1 2", "realtime_eu_globex_1 1"]);
  });

  it("passes the newest ticks of the ledger to the statement", async () => {
    const { refresher, statements } = world();
    await refreshHeadcounts(TICK, refresher);
    const [tick_0 = "", tick_1 = ""] = LEDGER;
    expect(statements).toMatchObject([
      { parameters: { tick: { value: TICK.toISOString() }, tick_0: { value: tick_0 }, tick_1: { value: tick_1 } } },
    ]);
  });

  it("retries a failed statement under a new id, with three attempts per call", async () => {
    const mended = world({ outcomes: [[FAILED], [RUNNING, DONE]] });
    await refreshHeadcounts(TICK, mended.refresher);
    expect(mended.started.map((id) => id.slice(-2))).toEqual(["_1", "_2"]);
    const broken = world({ outcomes: [[FAILED], [FAILED], [FAILED], [DONE]] });
    await expect(refreshHeadcounts(TICK, broken.refresher)).rejects.toThrow("backendError: try later");
    expect(broken.started).toHaveLength(3);
    expect(broken.written).toEqual([]);
    await refreshHeadcounts(TICK, broken.refresher);
    expect(broken.started.at(-1)).toBe("refresh_20260115T120000000_4");
    expect(broken.written).toHaveLength(2);
  });

  it("gives up the tick and logs an error when no attempts are left over all calls", async () => {
    const { refresher, started, written, logged, standing } = world({ outcomes: Array.from({ length: ATTEMPTS_MAX }, () => [FAILED]) });
    for (let call = 1; call < ATTEMPTS_MAX / 3; call++) await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("backendError");
    expect(logged).toEqual([]);
    await refreshHeadcounts(TICK, refresher);
    await refreshHeadcounts(TICK, refresher);
    expect(new Set(started).size).toBe(ATTEMPTS_MAX);
    expect(started).toHaveLength(ATTEMPTS_MAX);
    expect(logged).toEqual([["A tick is given up", TICK.toISOString()]]);
    expect(standing()).toEqual({ "12:00": "given up" });
    expect(written).toEqual([]);
  });

  it("sends nothing to the warehouse when repeated after completion", async () => {
    const { refresher, started, standing } = world();
    await refreshHeadcounts(TICK, refresher);
    await refreshHeadcounts(TICK, refresher);
    expect(started).toHaveLength(1);
    expect(standing()).toEqual({ "12:00": "done" });
  });

  it("that was killed between two loads is completed by a later tick, after the idle time, and no load is repeated", async () => {
    const loads = { [`${JOB}_realtime_eu_globex_1`]: new Error("killed") };
    const { refresher, jobs, clock, standing } = world({ outcomes: [[DONE], [DONE], [DONE], [DONE]], loads });
    await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("1 tables of customers could not be loaded");
    clock.now = at(4);
    await refreshHeadcounts(at(4), { ...refresher, tickMs: undefined });
    expect(standing()).toEqual({ "12:00": "owed", "12:04": "done" });
    clock.now = at(5);
    await refreshHeadcounts(at(5), refresher);
    expect(standing()).toEqual({ "12:00": "done", "12:04": "done", "12:05": "done" });
    const acme = [...jobs.keys()].filter((id) => id.includes("_acme_")).map((id) => id.slice(17, 26));
    expect(acme).toEqual(["120000000", "120400000", "120500000"]);
    expect([...jobs.keys()].filter((id) => id.includes("_globex_"))).toHaveLength(3);
  });

  it("computes missed ticks, three per call, and none if no earlier firing is known", async () => {
    const { refresher, clock, standing } = world({ outcomes: Array.from({ length: 9 }, () => [DONE]) });
    for (const minutes of [0, 25, 30]) {
      clock.now = at(minutes);
      await refreshHeadcounts(at(minutes), refresher);
      if (minutes === 25)
        expect(standing()).toEqual({
          "12:00": "done",
          "12:05": "done",
          "12:10": "done",
          "12:15": "done",
          "12:20": "owed",
          "12:25": "done",
        });
    }
    expect(Object.values(standing())).toEqual(Array(7).fill("done"));
  });

  it("gives up ticks that are over a day old, and continues with the others", async () => {
    const { refresher, clock, logged, standing } = world({ outcomes: [[FAILED], [FAILED], [FAILED], [DONE]] });
    await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("backendError");
    clock.now = at(24 * 60 + 5);
    await refreshHeadcounts(at(24 * 60 + 5), { ...refresher, tickMs: undefined });
    expect(logged).toEqual([["A tick is given up", TICK.toISOString()]]);
    expect(standing()).toEqual({ "12:00": "given up", "12:05": "done" });
  });

  it("completes an older tick even if several failing ticks come before it", async () => {
    const { refresher, clock, standing } = world();
    let tick = TICK;
    const start: RefreshContext["warehouse"]["start"] = async (_id, { parameters }) => {
      tick = new Date(String(parameters.tick?.value));
      if (tick.getTime() === at(3).getTime() && clock.now === TICK) throw new Error("killed");
    };
    const wait: RefreshContext["warehouse"]["wait"] = async (_id, statement) => outcomeWith(statement, tick < at(3) ? FAILED : DONE);
    const poisoned = { ...refresher, tickMs: undefined, warehouse: { ...refresher.warehouse, start, wait } };
    for (const minutes of [0, 1, 2, 3]) await expect(refreshHeadcounts(at(minutes), poisoned)).rejects.toThrow();
    for (const minutes of [10, 20]) {
      clock.now = at(minutes);
      await refreshHeadcounts(clock.now, poisoned);
    }
    expect(standing()).toEqual({ "12:00": "owed", "12:01": "owed", "12:02": "owed", "12:03": "done", "12:10": "done", "12:20": "done" });
  });

  it("completes its own tick even if an older tick fails", async () => {
    const { refresher, clock, standing } = world({ outcomes: [[FAILED], [FAILED], [FAILED], [DONE], [FAILED], [FAILED], [FAILED]] });
    await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("backendError");
    clock.now = at(5);
    await refreshHeadcounts(at(5), refresher);
    expect(standing()).toEqual({ "12:00": "owed", "12:05": "done" });
  });

  it("never runs two attempts at once: a running attempt is left to the next call", async () => {
    const { refresher, started } = world({ outcomes: [[FAILED], [RUNNING, RUNNING, RUNNING, RUNNING]] });
    await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("takes longer than");
    expect(started).toHaveLength(2);
  });

  it("retries a failing load under a new id, and writes the snapshots anyway", async () => {
    const mended = world({ loads: { [`${JOB}_realtime_eu_acme_1`]: "no space", [`${JOB}_realtime_eu_acme_2`]: "no space" } });
    await refreshHeadcounts(TICK, mended.refresher);
    expect({ loaded: mended.loaded.sort(), written: mended.written.length }).toEqual({
      loaded: ["realtime_eu_acme_3 2", "realtime_eu_globex_1 1"],
      written: 2,
    });
  });

  it("with a customer whose loads fail for good leaves no queue of ticks behind which others wait", async () => {
    const outcomes = Array.from({ length: 99 }, () => [DONE]);
    const { refresher, clock, standing, loaded } = world({ outcomes, loads: { acme: "no space" } });
    for (let minutes = 0; minutes <= 60; minutes += 5) {
      clock.now = at(minutes);
      await refreshHeadcounts(clock.now, refresher).catch(() => undefined);
    }
    expect(Object.values(standing()).filter((state) => state === "owed").length).toBeLessThanOrEqual(3);
    expect(loaded.filter((load) => load.includes("globex"))).toHaveLength(13);
  });

  it("brings what was measured since the last tick into the tables, once, and shows only its own rows", async () => {
    const measured = [row("globex", "2026-01-15T11:58:12.345Z")];
    const { refresher, loaded, written, clock } = world({ outcomes: [[DONE], [DONE]], measured });
    await refreshHeadcounts(TICK, refresher);
    clock.now = at(5);
    await refreshHeadcounts(at(5), refresher);
    expect(loaded.filter((load) => load.includes("globex"))).toEqual(["realtime_eu_globex_1 2", "realtime_eu_globex_1 1"]);
    expect(written.filter((one) => one.startsWith("globex"))).toEqual(["globex 1", "globex 1"]);
  });

  it("writes the other snapshots if one fails, logs an error, and leaves the tick pending until all are written", async () => {
    const { refresher, written, loaded, logged, clock, standing } = world({ outcomes: [[DONE], [DONE]] });
    const errors: unknown[] = [];
    const log: RefreshContext["log"] = (severity, message, fields) => {
      if (severity === "ERROR") errors.push([message, fields?.uid, fields?.fault]);
    };
    const write: RefreshContext["snapshots"]["write"] = async (uid, ...rest) => {
      if (uid === "acme") throw new Error("too large");
      return refresher.snapshots.write(uid, ...rest);
    };
    await expect(refreshHeadcounts(TICK, { ...refresher, log, snapshots: { write } })).rejects.toThrow(
      "1 of 2 snapshots could not be written",
    );
    expect({ written, loaded: loaded.length }).toEqual({ written: ["globex 1"], loaded: 2 });
    expect(errors).toEqual([["A customer's snapshot could not be written", "acme", "too large"]]);
    expect(standing()).toEqual({ "12:00": "owed" });
    clock.now = at(5);
    await refreshHeadcounts(TICK, refresher);
    expect(written.slice(1).sort()).toEqual(["acme 2", "globex 1"]);
    expect({ standing: standing(), logged }).toEqual({ standing: { "12:00": "done" }, logged: [] });
  });

  it("completes older ticks even if a customer's snapshot fails", async () => {
    const loads = { [`${JOB}_realtime_eu_acme_1`]: new Error("killed") };
    const { refresher, clock, standing } = world({ outcomes: Array.from({ length: 4 }, () => [DONE]), loads });
    await expect(refreshHeadcounts(TICK, refresher)).rejects.toThrow("1 tables of customers could not be loaded");
    const write: RefreshContext["snapshots"]["write"] = async (_uid, tick) => {
      if (tick > TICK) throw new Error("too large");
    };
    clock.now = at(5);
    await expect(refreshHeadcounts(at(5), { ...refresher, snapshots: { write } })).rejects.toThrow("2 of 2 snapshots could not be written");
    expect(standing()).toEqual({ "12:00": "done", "12:05": "owed" });
  });

  it("stops waiting on shutdown; the next call attaches to the same job and completes the tick", async () => {
    const { refresher, started, written, loaded } = world({ outcomes: [[RUNNING], [DONE]] });
    const stop = new AbortController();
    const wait: RefreshContext["warehouse"]["wait"] = (id, statement, milliseconds) => {
      stop.abort(new ShuttingDown());
      return refresher.warehouse.wait(id, statement, milliseconds);
    };
    const stopped = { ...refresher, warehouse: { ...refresher.warehouse, wait }, shutdownSignal: stop.signal };
    await expect(refreshHeadcounts(TICK, stopped)).rejects.toBeInstanceOf(ShuttingDown);
    expect({ written, loaded }).toEqual({ written: [], loaded: [] });
    await refreshHeadcounts(TICK, refresher);
    expect(new Set(started).size).toBe(1);
    expect(written).toHaveLength(2);
  });

  it("starts no further load on shutdown", async () => {
    const many = Array.from({ length: 40 }, () => TABLES).flat();
    const { refresher, written, loaded } = world({ tables: many });
    const stop = new AbortController();
    const load: RefreshContext["tables"]["load"] = (...given) => {
      stop.abort(new ShuttingDown());
      return refresher.tables.load(...given);
    };
    const stopped = { ...refresher, tables: { ...refresher.tables, load }, shutdownSignal: stop.signal };
    await expect(refreshHeadcounts(TICK, stopped)).rejects.toBeInstanceOf(ShuttingDown);
    expect(written).toHaveLength(2);
    expect(loaded).toHaveLength(1);
  });
});
