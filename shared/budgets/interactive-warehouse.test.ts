import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { statement } from "../google/statement.ts";
import { type InteractiveContext, interactiveWarehouse } from "./interactive-warehouse.ts";

const GB = 1_000_000_000;
const TABLE = 10 * 1024 * 1024;
const LABELS = { customer: "acme", purpose: "preview" };
/** The call of a query whose text is not known. */
const FIRST = "acme holds what is free";
const QUERY = statement(v.object({ one: v.number() }), "SELECT 1 AS one", {});

interface Options {
  /** How much a query reads of its one table. */
  readonly bytes: () => number;
  readonly error?: Error;
  /** What is free of a lease for a query that is not known. Default: nothing. */
  readonly free?: number;
  /** Whether a job is still running when its caller stops waiting. */
  readonly isRunning?: boolean;
}

/** An interactive warehouse of at most 100 GB a query, and the calls that it makes. */
function opened({ bytes, error, free, isRunning = false }: Options) {
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
    holdFirst: async (uid) => {
      calls.push(`${uid} holds what is free`);
      return free === undefined ? undefined : { bytes: free, settle: async (billed) => void calls.push(`settles ${billed}`) };
    },
    prepare: async (uid) => void calls.push(`prepares ${uid}`),
    hold: async (uid, held) => {
      calls.push(`${uid} holds ${held}`);
      return { bytes: held, settle: async (billed) => void calls.push(`settles ${billed}`) };
    },
  };
  const { query, runJob } = interactiveWarehouse({ warehouse, leases, bytesMax: 100 * GB, now: () => new Date() });
  return { calls, query: () => query(QUERY, LABELS), runJob: () => runJob("job", QUERY, LABELS, 1000) };
}

describe("the first query of a text", () => {
  it("holds what is free and may be billed as much, without a dry run", async () => {
    const { calls, query } = opened({ bytes: () => 3 * TABLE, free: GB });
    await query();
    expect(calls.splice(0)).toEqual([FIRST, `up to ${GB}`, `settles ${3 * TABLE}`]);
    // The next of its text holds what this one was billed.
    await query();
    expect(calls).toEqual([`acme holds ${3 * TABLE}`, `up to ${GB}`, `settles ${3 * TABLE}`]);
  });

  it("that reads more is asked, and nothing was billed before", async () => {
    const { calls, query } = opened({ bytes: () => 2 * GB, free: GB });
    await query();
    const most = 2 * GB + TABLE;
    expect(calls).toEqual([FIRST, `up to ${GB}`, "settles 0", "dry run", `acme holds ${most}`, `up to ${most}`, `settles ${2 * GB}`]);
  });

  it("may not be billed more than any query", async () => {
    const { calls, query } = opened({ bytes: () => 100 * GB + 1, free: 200 * GB });
    await expect(query()).rejects.toMatchObject({ code: "invalid_argument" });
    expect(calls).toEqual([FIRST, `up to ${100 * GB}`, "settles 0", "dry run"]);
  });

  it("without an answer counts with all that it held, once: the next is asked first", async () => {
    const { calls, query } = opened({ bytes: () => 500, free: GB, error: new Error("socket hang up") });
    await expect(query()).rejects.toThrow("socket hang up");
    expect(calls.splice(0)).toEqual([FIRST, `up to ${GB}`, `settles ${GB}`]);
    await expect(query()).rejects.toThrow("socket hang up");
    expect(calls).toEqual(["dry run", "prepares acme", `acme holds ${500 + TABLE}`, `up to ${GB}`, `settles ${500 + TABLE}`]);
  });
});

describe("an interactive query", () => {
  it("holds what its dry run says, may be billed a gigabyte, and counts what it was billed", async () => {
    const { calls, query } = opened({ bytes: () => 500 });
    await query();
    expect(calls.splice(0)).toEqual([FIRST, "dry run", "prepares acme", `acme holds ${500 + TABLE}`, `up to ${GB}`, "settles 500"]);
    // The same text again needs no dry run.
    await query();
    expect(calls).toEqual([`acme holds ${500 + TABLE}`, `up to ${GB}`, "settles 500"]);
  });

  it("over a gigabyte may be billed what its dry run says", async () => {
    const { calls, query } = opened({ bytes: () => 7 * GB });
    await query();
    const most = 7 * GB + TABLE;
    expect(calls).toEqual([FIRST, "dry run", "prepares acme", `acme holds ${most}`, `up to ${most}`, `settles ${7 * GB}`]);
  });

  it("that reads more than the last of its text is asked again, and nothing was billed", async () => {
    let bytes = 500;
    const { calls, query } = opened({ bytes: () => bytes });
    await query();
    calls.splice(0);
    bytes = 2 * GB;
    await query();
    expect(calls).toEqual([
      ...[`acme holds ${500 + TABLE}`, `up to ${GB}`, "settles 0", "dry run"],
      ...[`acme holds ${2 * GB + TABLE}`, `up to ${2 * GB + TABLE}`, `settles ${2 * GB}`],
    ]);
  });

  it("beyond the hard ceiling is refused, and neither held nor run", async () => {
    const { calls, query } = opened({ bytes: () => 100 * GB + 1 });
    await expect(query()).rejects.toMatchObject({ code: "invalid_argument" });
    expect(calls).toEqual([FIRST, "dry run", "prepares acme"]);
  });

  it.each([
    ["without an answer counts as read: it may have run", new Error("socket hang up"), 500 + TABLE],
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
    expect(done.calls).toEqual(["dry run", "prepares acme", HELD, "starts job", "settles 500"]);
    const running = opened({ bytes: () => 500, isRunning: true });
    expect(await running.runJob()).toEqual({ state: "running", progress: 50 });
    expect(running.calls).toEqual(["dry run", "prepares acme", HELD, "starts job", `settles ${500 + TABLE}`]);
    const lost = opened({ bytes: () => 500, error: new Error("socket hang up") });
    await expect(lost.runJob()).rejects.toThrow("socket hang up");
    expect(lost.calls).toEqual(["dry run", "prepares acme", HELD, `settles ${500 + TABLE}`]);
  });

  it("is bounded as every job is, not as a query", async () => {
    const { calls, runJob } = opened({ bytes: () => 100 * GB + 1 });
    await runJob();
    expect(calls.at(-1)).toBe(`settles ${100 * GB + 1}`);
  });
});
