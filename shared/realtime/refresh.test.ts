import { describe, expect, it } from "vitest";
import type { Outcome } from "../cloud/warehouse.ts";
import type { Statement } from "../warehouse/statement.ts";
import { type Refresher, refresh } from "./refresh.ts";

const TICK = new Date("2026-01-15T12:00:00Z");
const instant = (value: string) => ({ value });
const LEDGER = ["2026-01-14T09:40:00.000Z", "2026-01-15T11:55:00.000Z"];
const row = (uid: string) => ({
  ...{ tick: instant("2026-01-15T12:00:00Z"), timestamp: instant("2026-01-15T11:55:00Z"), uid, target_id: `${uid}-map` },
  ...{ target_name: "A map", people_count: 7, result: "SUCCESS" },
});
const FAILED: Outcome = { state: "failed", reason: "backendError", message: "try later" };
const RUNNING: Outcome = { state: "running", progress: 50 };
const DONE: Outcome = { state: "done", rows: [] };

/** The world of a refresh in memory: `outcomes` are the answers to waiting, by attempt; `copies` those of the copy's loads. */
function world({ outcomes = [[DONE]], copies = [undefined] }: { outcomes?: Outcome[][]; copies?: (string | undefined | Error)[] } = {}) {
  const started: string[] = [];
  const statements: Statement[] = [];
  const written: string[] = [];
  const loaded: string[] = [];
  const refresher: Refresher = {
    warehouse: {
      start: async (id, statement) => {
        started.push(id);
        statements.push(statement);
      },
      wait: async () => outcomes[started.length - 1]?.shift() ?? RUNNING,
      query: async ({ sql }) =>
        sql.includes("mobility.batches") ? LEDGER.map((tick) => ({ tick: instant(tick) })) : [row("acme"), row("globex"), row("acme")],
    },
    copy: {
      load: async (id) => {
        loaded.push(id);
        const outcome = copies[loaded.length - 1];
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    snapshots: { write: async (uid, _tick, rows) => void written.push(`${uid} ${rows.length}`) },
    countries: {},
    log: () => undefined,
  };
  return { refresher, started, statements, written, loaded };
}

describe("a refresh", () => {
  it("writes each customer's rows and the copy under ids made of the tick", async () => {
    const { refresher, started, written, loaded } = world();
    await refresh(TICK, refresher);
    expect(started).toEqual(["refresh_20260115T120000000_1"]);
    expect(written.sort()).toEqual(["acme 2", "globex 1"]);
    expect(loaded).toEqual(["refresh_20260115T120000000_eu_1"]);
  });

  it("counts the ticks that the ledger names", async () => {
    const { refresher, statements } = world();
    await refresh(TICK, refresher);
    const [tick_0 = "", tick_1 = ""] = LEDGER;
    expect(statements).toMatchObject([
      { parameters: { tick: { value: TICK.toISOString() }, tick_0: { value: tick_0 }, tick_1: { value: tick_1 } } },
    ]);
  });

  it("starts the statement anew under another id when it failed, three times at most", async () => {
    const mended = world({ outcomes: [[FAILED], [RUNNING, DONE]] });
    await refresh(TICK, mended.refresher);
    expect(mended.started.map((id) => id.slice(-2))).toEqual(["_1", "_2"]);
    const broken = world({ outcomes: [[FAILED], [FAILED], [FAILED], [DONE]] });
    await expect(refresh(TICK, broken.refresher)).rejects.toThrow("backendError: try later");
    expect(broken.started).toHaveLength(3);
    expect(broken.written).toEqual([]);
  });

  it("never runs two attempts side by side: one that is still running is left to the next call", async () => {
    const { refresher, started } = world({ outcomes: [[FAILED], [RUNNING, RUNNING, RUNNING, RUNNING]] });
    await expect(refresh(TICK, refresher)).rejects.toThrow("takes longer than");
    expect(started).toHaveLength(2);
  });

  it("writes the snapshots also where the copy fails, and loads the copy anew under another id", async () => {
    const mended = world({ copies: ["no space", undefined] });
    await refresh(TICK, mended.refresher);
    expect(mended.loaded.map((id) => id.slice(-5))).toEqual(["_eu_1", "_eu_2"]);
    const unreachable = world({ copies: [new Error("socket hang up")] });
    await expect(refresh(TICK, unreachable.refresher)).rejects.toThrow("socket hang up");
    expect(unreachable.written).toHaveLength(2);
  });
});
