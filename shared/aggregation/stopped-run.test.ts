import { beforeEach, describe, expect, it } from "vitest";
import { type Outcome, outcomeWith, type Warehouse } from "../google/bigquery.ts";
import type { Statement } from "../google/statement.ts";
import { jobId, openJobPath } from "./testing/job-path.ts";

const STOPPED = AbortSignal.abort();
const ID = jobId(1);

/** Returns a job of one or two statements and a worker for its deliveries. `sent` holds what was queued after its submission. */
async function world(full: boolean) {
  const path = openJobPath({ runningMax: { acme: 1 } });
  const { warehouse } = path.ports;
  await path.submit("acme", full);
  path.sent.length = 0;
  return {
    ...path,
    job: () => path.stored.get(ID),
    deliver: (step: number, shutdownSignal?: AbortSignal, wait = warehouse.wait) =>
      path.deliver(
        { job_id: ID, attempt: 1, step },
        { ports: { warehouse: { ...warehouse, wait } }, ...(shutdownSignal ? { shutdownSignal } : {}) },
      ),
  };
}

/** Returns the outcome of a finished statement of a job. An export has no rows. */
function doneWith<Row>(statement: Statement<Row>): Outcome<Row> {
  const row = { data_versions: [{ batch_date: "2026-11-18", version: 1 }], total_rows: 1, unknown_ids: [], newest_date: null };
  return outcomeWith(statement, { state: "done", rows: statement.sql.startsWith("EXPORT DATA") ? [] : [row] });
}

let one: Awaited<ReturnType<typeof world>>;

beforeEach(async () => {
  one = await world(true);
});

/** Returns a `wait` whose nth call in a delivery is aborted. Earlier calls find their statement done. */
function stoppedInWait(nth: number) {
  const controller = new AbortController();
  let waits = 0;
  const wait: Warehouse["wait"] = async (_id, statement) => {
    if (++waits < nth) return doneWith(statement);
    controller.abort();
    return { state: "running", progress: 0 };
  };
  return { shutdownSignal: controller.signal, wait };
}

describe("a delivery whose process is to end", () => {
  it("starts nothing, and hands over to the next step without delay", async () => {
    await one.deliver(0, STOPPED);
    expect(one.queries.size).toBe(0);
    expect(one.sent).toEqual([{ message: { job_id: ID, attempt: 1, step: 1 }, at: undefined }]);
    expect(one.job()).toMatchObject({ status: "running", step: 1, dispatch: true });
  });

  it.each([1, 2])("hands over while it waits for statement number %i, which keeps running, and starts no other", async (nth) => {
    const { shutdownSignal, wait } = stoppedInWait(nth);
    await one.deliver(0, shutdownSignal, wait);
    expect(one.queries.size).toBe(nth);
    expect(one.sent).toEqual([{ message: { job_id: ID, attempt: 1, step: 1 }, at: undefined }]);
    expect(one.job()?.progress).toBe(Math.floor((100 * (nth - 1)) / 2));
  });

  it("starts no further statement when the signal comes between two", async () => {
    const controller = new AbortController();
    await one.deliver(0, controller.signal, async (_id, statement) => {
      controller.abort();
      return doneWith(statement);
    });
    expect([...one.queries.values()].map(({ kind }) => kind)).toEqual(["summary"]);
    expect(one.sent).toMatchObject([{ message: { step: 1 }, at: undefined }]);
  });

  it("still completes its job when the last statement is done", async () => {
    const controller = new AbortController();
    one = await world(false);
    await one.deliver(0, controller.signal, async (_id, statement) => {
      controller.abort();
      return doneWith(statement);
    });
    expect(one.job()).toMatchObject({ status: "completed", progress: 100 });
    expect(one.sent).toEqual([]);
  });
});

describe("a job whose every delivery is stopped", () => {
  const STEPS = 50;

  it("never loses progress, starts no statement twice, and completes as soon as one delivery is not stopped", async () => {
    const progress: number[] = [];
    for (let step = 0; step < STEPS; step++) {
      const { shutdownSignal, wait } = stoppedInWait(1 + ((STEPS - step) % 2));
      await one.deliver(step, shutdownSignal, wait);
      progress.push(one.job()?.progress ?? -1);
    }
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    await one.deliver(STEPS);
    expect(one.job()).toMatchObject({ status: "completed", attempt: 1 });
    expect([...one.queries.values()].map(({ kind }) => kind)).toEqual(["summary", "export"]);
  });

  it("fails at its deadline like any other", async () => {
    const SIX_HOURS_MS = 6 * 3_600_000;
    for (let step = 0; step < STEPS; step++) {
      await one.advance(SIX_HOURS_MS / STEPS);
      await one.deliver(step, STOPPED);
    }
    await one.sweep();
    expect(one.job()).toMatchObject({ status: "failed", error: expect.stringContaining("six hours") });
    await one.deliver(STEPS, STOPPED);
    expect(one.job()?.status).toBe("failed");
  });
});
