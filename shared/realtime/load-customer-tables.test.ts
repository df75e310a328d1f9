import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CustomerTable, Fill, TableLoadOutcome } from "./customer-tables.ts";
import type { HeadcountRow } from "./headcount-rows.ts";
import {
  dueGroups,
  LOAD_ATTEMPTS_MAX,
  LOAD_GROUPS,
  LOAD_JOBS_A_DAY_MAX,
  type LoadContext,
  loadCustomerTables,
  loadDecision,
  loadGroupOf,
  ticksBetweenLoads,
} from "./load-customer-tables.ts";

const TICK = new Date("2026-01-15T12:00:00Z");
const at = (minutes: number): Date => new Date(TICK.getTime() + minutes * 60_000);
const FILLED: Fill = { before: at(-60), isDone: true };
const ROW = { timestamp: TICK.toISOString(), target_name: "A map", people_count: 20, result: "SUCCESS" } as const;
const row = (uid: string, target_id = `${uid}-map`, tick = TICK): HeadcountRow => ({ ...ROW, uid, target_id, tick: tick.toISOString() });
const tableOf = (uid: string, fill: Fill | undefined = FILLED): CustomerTable => ({ dataset: "realtime_eu", uid, fill });
const UIDS = ["acme", "globex", "initech"];

/** How the next jobs of a customer end: with an error of the request, before or after it arrived, or as BigQuery says. */
type Fate = "lost" | "no answer" | "no space" | "missing" | "never ends";

/** Tables in memory, with jobs whose ids are used once. */
function world(tables: readonly CustomerTable[] = UIDS.map((uid) => tableOf(uid)), fates: Record<string, Fate[]> = {}) {
  const jobs = new Map<string, TableLoadOutcome>();
  const stored: HeadcountRow[] = [];
  const errors: unknown[] = [];
  const context: LoadContext = {
    tables: {
      held: async ({ uid }) => stored.filter((one) => one.uid === uid),
      load: async ({ uid }, id, rows) => {
        const known = jobs.get(id);
        if (known) return known.state === "done" ? known : { ...known, isNew: false };
        const fate = fates[uid]?.shift();
        if (fate === "lost") throw new Error("socket hang up");
        if (fate === "never ends") return new Promise(() => undefined);
        const failed = { state: "failed", isMissing: fate === "missing", isNew: true, message: fate ?? "" } as const;
        const outcome: TableLoadOutcome = fate === "no space" || fate === "missing" ? failed : { state: "done" };
        jobs.set(id, outcome);
        if (outcome.state === "done") stored.push(...rows);
        if (fate === "no answer") throw new Error("socket hang up");
        return outcome;
      },
    },
    log: (severity, message, fields) => {
      if (severity === "ERROR") errors.push([message, fields?.uid, fields?.fault ?? fields?.failure]);
    },
  };
  const load = (rows = UIDS.map((uid) => row(uid))) => loadCustomerTables(TICK, rows, tables, context);
  const there = () => stored.map(({ uid }) => uid).sort();
  return { context, load, jobs, stored, errors, there };
}

describe("the tables of the customers", () => {
  it("have every row once, however often a call is repeated and wherever it was cut off", async () => {
    for (const fate of ["lost", "no answer"] as const) {
      const { load, jobs, there } = world(undefined, { globex: [fate] });
      expect(await load()).toBe(1);
      expect(there()).toEqual(fate === "lost" ? ["acme", "initech"] : UIDS);
      expect([await load(), await load()]).toEqual([0, 0]);
      expect({ there: there(), jobs: jobs.size }).toEqual({ there: UIDS, jobs: 3 });
    }
  });

  it("of one customer that fail, or do not end, delay no other", async () => {
    const hanging = world(undefined, { acme: ["never ends"] });
    void hanging.load();
    await new Promise(setImmediate);
    expect(hanging.there()).toEqual(["globex", "initech"]);
    const failing = world(undefined, { acme: ["no space", "no space"] });
    expect(await failing.load()).toBe(0);
    expect(failing.there()).toEqual(UIDS);
    expect([...failing.jobs.keys()].filter((id) => id.includes("acme")).map((id) => id.slice(-7))).toEqual([
      "_acme_1",
      "_acme_2",
      "_acme_3",
    ]);
  });

  it("are loaded twenty at once, and one that takes long holds up one of these", async () => {
    const uids = Array.from({ length: 60 }, (_, number) => `customer${number}`);
    const { context, there } = world(
      uids.map((uid) => tableOf(uid)),
      { customer0: ["never ends"] },
    );
    let running = 0;
    let most = 0;
    const one: LoadContext["tables"]["load"] = async (...given) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      const outcome = await context.tables.load(...given);
      running--;
      return outcome;
    };
    void loadCustomerTables(
      TICK,
      uids.map((uid) => row(uid)),
      uids.map((uid) => tableOf(uid)),
      { ...context, tables: { ...context.tables, load: one } },
    );
    await new Promise(setImmediate);
    expect({ most, there: there().length }).toEqual({ most: 20, there: 59 });
  });

  it("that fail for good are given up with an ERROR, after nine jobs, three a call", async () => {
    const { load, errors, there } = world(undefined, { acme: Array<Fate>(99).fill("no space") });
    expect([await load(), await load(), await load(), await load()]).toEqual([1, 1, 0, 0]);
    expect(there()).toEqual(["globex", "initech"]);
    expect(errors[2]).toEqual(["A load of a customer's table is given up", "acme", "no space"]);
    expect(LOAD_ATTEMPTS_MAX).toBe(9);
  });

  it("that are missing are skipped, also if they are dropped after they were listed", async () => {
    const { load, errors, there } = world([tableOf("globex"), tableOf("initech")], { initech: ["missing"] });
    expect(await load()).toBe(0);
    expect({ there: there(), errors }).toEqual({ there: ["globex"], errors: [] });
  });

  it("whose fill has not begun, is under way or is done get what the fill leaves out", async () => {
    const fills: (Fill | undefined)[] = [undefined, { before: at(1), isDone: false }, { before: at(1), isDone: true }];
    const rows = [row("acme", "read by the fill"), row("acme", "not read")];
    const outcomes = [];
    for (const fill of fills) {
      const { load, stored } = world([{ ...tableOf("acme"), fill }]);
      stored.push(...rows.slice(0, 1));
      outcomes.push([await load(rows), stored.map(({ target_id }) => target_id)]);
    }
    expect(outcomes).toEqual([
      [0, ["read by the fill"]],
      [1, ["read by the fill"]],
      [0, ["read by the fill", "not read"]],
    ]);
  });
});

describe("a row", () => {
  it.each([
    ["skip", undefined, 0],
    ["load", { before: at(0), isDone: false }, 0],
    ["load", { before: at(0), isDone: true }, 5],
    ["wait", { before: at(0), isDone: false }, -1],
    ["check", { before: at(0), isDone: true }, -1],
  ] as const)("is one to %s with a fill %o", (decision, fill, minutes) => {
    expect(loadDecision({ fill }, { tick: at(minutes).toISOString() })).toBe(decision);
  });
});

describe("a table is loaded", () => {
  const TICK_MS = 300_000;
  const every = (tables: number) => ticksBetweenLoads(tables, TICK_MS, LOAD_JOBS_A_DAY_MAX);

  it("at each tick as long as the load jobs of a day suffice, then less often, as terraform/modules/customer-plan says", () => {
    expect([0, 20, 312, 313, 1000, 2000, 10_000, 37_500].map(every)).toEqual([1, 1, 1, 2, 4, 8, 40, 120]);
    const tables = fc.nat(37_500);
    fc.assert(
      fc.property(tables, tables, (a, b) => {
        const jobs = (a * 86_400_000) / TICK_MS / every(a);
        expect(jobs).toBeLessThanOrEqual(LOAD_JOBS_A_DAY_MAX);
        expect(LOAD_GROUPS % every(a)).toBe(0);
        if (a <= b) expect(every(a)).toBeLessThanOrEqual(every(b));
      }),
      { seed: 1 },
    );
    expect(every(1_000_000)).toBe(LOAD_GROUPS);
  });

  it("once in that many ticks, each group at its own, and all of them at each tick if that is one", () => {
    const intervals = Array.from({ length: LOAD_GROUPS }, (_, index) => index + 1).filter((one) => LOAD_GROUPS % one === 0);
    fc.assert(
      fc.property(fc.constantFrom(...intervals), fc.nat(1_000_000), (ticks, first) => {
        const times = new Map<number, number>();
        for (let index = first; index < first + ticks; index++)
          for (const group of dueGroups(new Date(index * TICK_MS), TICK_MS, ticks)) times.set(group, (times.get(group) ?? 0) + 1);
        expect([...times.values()]).toEqual(Array(LOAD_GROUPS).fill(1));
        expect(dueGroups(new Date(first * TICK_MS), TICK_MS, ticks)).toHaveLength(LOAD_GROUPS / ticks);
      }),
      { seed: 1 },
    );
  });

  it("with those of its group: customers are spread evenly over the groups, within five standard deviations", () => {
    const counts = Array<number>(LOAD_GROUPS).fill(0);
    for (let index = 0; index < 60_000; index++)
      counts[loadGroupOf(`customer${index}`)] = (counts[loadGroupOf(`customer${index}`)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(5 * Math.sqrt(500));
  });
});
