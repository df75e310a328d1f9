import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BigQueryError } from "../model.ts";
import { Job, queryStatistics } from "./job.ts";

const ENDLESS = "SELECT sum((a * b) % 7) FROM range(0, 10000000) AS t(a), range(0, 10000000) AS u(b)";

let connection: DuckDBConnection;
let job: Job;

beforeEach(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  const reference = { project: "p", id: "job", location: "EU" };
  job = new Job({
    reference,
    owner: "a@b",
    work: { kind: "QUERY", configuration: {}, statistics: queryStatistics("SELECT", []) },
    labels: {},
    creationTime: 0,
  });
});

afterEach(() => connection.closeSync());

/** Runs a statement of the job as a query does, and asks the job to stop at a moment of it. */
function stoppedAt(moment: "not begun" | "just begun"): Promise<unknown> {
  return job.interruptible(
    () => connection.interrupt(),
    async () => {
      if (moment === "not begun") job.stop("at its owner's request");
      await job.statement(async () => {
        const prepared = await connection.prepare(ENDLESS);
        const beginning = prepared.stream();
        if (moment === "just begun") job.stop("at its owner's request");
        const stream = await beginning;
        await stream.fetchChunk();
      });
    },
  );
}

describe("a statement of a job", () => {
  it.each(["not begun", "just begun"] as const)("that is asked to stop when it has %s ends as stopped", async (moment) => {
    const error = await stoppedAt(moment).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BigQueryError);
    expect(error).toMatchObject({ reason: "stopped" });
  });

  it("that was stopped is not interrupted any more once it has ended, nor is what undoes it", async () => {
    await stoppedAt("just begun").catch(() => undefined);
    const rows = await connection.runAndReadAll("SELECT count(*) FROM range(0, 100000000)");
    expect(rows.getRowsJS()).toEqual([[100_000_000n]]);
  });
});
