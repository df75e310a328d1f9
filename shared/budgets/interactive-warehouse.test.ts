import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { statement } from "../google/statement.ts";
import { ServiceError } from "../http/errors.ts";
import { type InteractiveContext, interactiveWarehouse } from "./interactive-warehouse.ts";

const GB = 1_000_000_000;
const TABLE = 10 * 1024 * 1024;
const LABELS = { customer: "acme", purpose: "preview" };
const QUERY = statement(v.object({ one: v.number() }), "SELECT 1 AS one", {});

interface Options {
  /** How much a query reads of its one table. */
  readonly bytes: () => number;
  readonly error?: Error;
  /** Default: yes. */
  readonly isBilledByBytes?: boolean;
  /** How many bytes the customer has left. Default: any number. */
  readonly left?: number;
  /** Whether a job is still running when its caller stops waiting. */
  readonly isRunning?: boolean;
}

/** An interactive warehouse of at most 100 GB a query, and the calls that it makes. */
function opened({ bytes, error, left = Number.POSITIVE_INFINITY, isBilledByBytes = true, isRunning = false }: Options) {
  const calls: string[] = [];
  const warehouse: InteractiveContext["warehouse"] = {
    dryRun: async () => {
      calls.push("dry run");
      return { bytes: bytes(), tables: 1 };
    },
    queryUpTo: async (_statement, _labels, most) => {
      calls.push(`up to ${most}`);
      if (error) throw error;
      if (bytes() > most) throw Object.assign(new Error("too much"), { code: 400, errors: [{ reason: "bytesBilledLimitExceeded" }] });
      return { rows: [], bytesBilled: bytes() };
    },
    start: async (jobId) => {
      if (error) throw error;
      calls.push(`starts ${jobId}`);
    },
    wait: async () => (isRunning ? { state: "running", progress: 50 } : { state: "done", rows: [] }),
    bill: async () => (isRunning ? undefined : { bytes: bytes(), milliseconds: 0 }),
  };
  const leases: InteractiveContext["leases"] = {
    hold: async (uid, held) => {
      calls.push(`${uid} holds ${held}`);
      if (held > left) throw new ServiceError("resource_exhausted", "No bytes are left");
      return { settle: async (billed) => void calls.push(`settles ${billed}`) };
    },
  };
  const { query, runJob } = interactiveWarehouse({ warehouse, leases, bytesMax: 100 * GB, isBilledByBytes, now: () => new Date() });
  return { calls, query: () => query(QUERY, LABELS), runJob: () => runJob("job", QUERY, LABELS, 1000) };
}

describe("an interactive query", () => {
  it("is the first of its text: it holds a gigabyte, which it may be billed, and the next one what this one was billed", async () => {
    const { calls, query } = opened({ bytes: () => 500 });
    await query();
    expect(calls.splice(0)).toEqual([`acme holds ${GB}`, `up to ${GB}`, "settles 500"]);
    await query();
    expect(calls).toEqual(["acme holds 500", `up to ${GB}`, "settles 500"]);
  });

  it("is asked what it reads if it may not be billed as much, and nothing was billed", async () => {
    const { calls, query } = opened({ bytes: () => 7 * GB });
    await query();
    expect(calls).toEqual([
      ...[`acme holds ${GB}`, `up to ${GB}`, "settles 0", "dry run"],
      ...[`acme holds ${7 * GB + TABLE}`, `up to ${7 * GB + TABLE}`, `settles ${7 * GB}`],
    ]);
  });

  it("is asked what it reads if its customer has less left than it may be billed", async () => {
    const { calls, query } = opened({ bytes: () => 500, left: 100_000_000 });
    await query();
    expect(calls).toEqual([`acme holds ${GB}`, "dry run", `acme holds ${500 + TABLE}`, `up to ${GB}`, "settles 500"]);
    const exhausted = opened({ bytes: () => 500, left: TABLE });
    await expect(exhausted.query()).rejects.toMatchObject({ code: "resource_exhausted" });
    expect(exhausted.calls).toEqual([`acme holds ${GB}`, "dry run", `acme holds ${500 + TABLE}`]);
  });

  it("in a reservation, which refuses no query for its bytes, is asked what it reads before it runs", async () => {
    const { calls, query } = opened({ bytes: () => 500, isBilledByBytes: false });
    await query();
    expect(calls).toEqual(["dry run", `acme holds ${500 + TABLE}`, `up to ${GB}`, "settles 500"]);
    const large = opened({ bytes: () => 100 * GB + 1, isBilledByBytes: false });
    await expect(large.query()).rejects.toMatchObject({ code: "invalid_argument" });
    expect(large.calls).toEqual(["dry run"]);
  });

  it("that reads more than the last of its text is asked again, and nothing was billed", async () => {
    let bytes = 500;
    const { calls, query } = opened({ bytes: () => bytes });
    await query();
    calls.splice(0);
    bytes = 2 * GB;
    await query();
    expect(calls).toEqual([
      ...["acme holds 500", `up to ${GB}`, "settles 0", "dry run"],
      ...[`acme holds ${2 * GB + TABLE}`, `up to ${2 * GB + TABLE}`, `settles ${2 * GB}`],
    ]);
  });

  it("that an answer of the cache cost nothing is not remembered: the next one may cost", async () => {
    let bytes = 0;
    const { calls, query } = opened({ bytes: () => bytes });
    await query();
    bytes = 500;
    await query();
    expect(calls).toEqual([...[`acme holds ${GB}`, `up to ${GB}`, "settles 0"], ...[`acme holds ${GB}`, `up to ${GB}`, "settles 500"]]);
  });

  it("beyond the hard ceiling is refused, and nothing was billed", async () => {
    const { calls, query } = opened({ bytes: () => 100 * GB + 1 });
    await expect(query()).rejects.toMatchObject({ code: "invalid_argument" });
    expect(calls).toEqual([`acme holds ${GB}`, `up to ${GB}`, "settles 0", "dry run"]);
  });

  it.each([
    ["without an answer counts as read: it may have run", new Error("socket hang up"), GB],
    [
      "that BigQuery answers with an error counts nothing",
      Object.assign(new Error("bad"), { code: 400, errors: [{ reason: "invalidQuery" }] }),
      0,
    ],
  ])("%s", async (_what, error, settled) => {
    const { calls, query } = opened({ bytes: () => 500, error });
    await expect(query()).rejects.toThrow(error.message);
    expect(calls.at(-1)).toBe(`settles ${settled}`);
  });
});

describe("a job that somebody waits for", () => {
  const HELD = `acme holds ${500 + TABLE}`;

  it("counts what it was billed, or what it may read if that is not known yet", async () => {
    const done = opened({ bytes: () => 500 });
    expect(await done.runJob()).toEqual({ state: "done", rows: [] });
    expect(done.calls).toEqual(["dry run", HELD, "starts job", "settles 500"]);
    const running = opened({ bytes: () => 500, isRunning: true });
    expect(await running.runJob()).toEqual({ state: "running", progress: 50 });
    expect(running.calls).toEqual(["dry run", HELD, "starts job", `settles ${500 + TABLE}`]);
    const lost = opened({ bytes: () => 500, error: new Error("socket hang up") });
    await expect(lost.runJob()).rejects.toThrow("socket hang up");
    expect(lost.calls).toEqual(["dry run", HELD, `settles ${500 + TABLE}`]);
  });

  it("is bounded as every job is, not as a query", async () => {
    const { calls, runJob } = opened({ bytes: () => 100 * GB + 1 });
    await runJob();
    expect(calls.at(-1)).toBe(`settles ${100 * GB + 1}`);
  });
});
