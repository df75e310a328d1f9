import { createServer, type Server } from "node:http";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../runtime/config.ts";
import { openWarehouse, type Warehouse } from "./bigquery.ts";
import { statement } from "./statement.ts";

const ROWS = {
  jobComplete: true,
  totalRows: "1",
  schema: { fields: [{ name: "n", type: "INTEGER" }] },
  rows: [{ f: [{ v: "7" }] }],
};
const STATEMENT = statement(v.strictObject({ n: v.number() }), "SELECT 7 AS n", {});
const UNFINISHED = { jobComplete: false };

let server: Server;
let warehouse: Warehouse;
/** The responses to the next requests, in order. */
let answers: { readonly code?: number; readonly body: object }[] = [];

beforeEach(async () => {
  process.env.METADATA_SERVER_DETECTION = "none";
  server = createServer((_request, response) => {
    const { code = 200, body } = answers.shift() ?? { code: 500, body: {} };
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  const environment = { GOOGLE_CLOUD_PROJECT: "populus-wait", ENVIRONMENT: "local", EXPORT_BUCKET: "exports" };
  warehouse = openWarehouse(parseConfig({ ...environment, BIGQUERY_URL: `http://127.0.0.1:${port}` }));
});

afterEach(() => new Promise((closed) => server.close(closed)));

describe("waiting for a job", () => {
  it("returns the progress of its stages while it is running", async () => {
    const stages = [{ parallelInputs: "3", completedParallelInputs: "3" }, { parallelInputs: "1" }];
    answers = [{ body: UNFINISHED }, { body: { status: { state: "RUNNING" }, statistics: { query: { queryPlan: stages } } } }];
    expect(await warehouse.wait("a", STATEMENT, 1)).toEqual({ state: "running", progress: 75 });
  });

  it("returns its rows if it finishes between the two requests", async () => {
    answers = [{ body: UNFINISHED }, { body: { status: { state: "DONE" } } }, { body: ROWS }];
    expect(await warehouse.wait("a", STATEMENT, 1)).toEqual({ state: "done", rows: [{ n: 7 }] });
  });

  it("throws if the rows do not match the statement's schema: the job itself did not fail", async () => {
    answers = [{ body: ROWS }];
    await expect(warehouse.wait("a", statement(v.object({ n: v.string() }), "SELECT 7 AS n", {}), 1)).rejects.toBeInstanceOf(v.ValiError);
  });

  it("returns the warehouse's reason if it failed", async () => {
    const error = { reason: "invalidQuery", message: "no such column" };
    answers = [{ code: 400, body: { error: { code: 400, errors: [error] } } }, { body: { status: { state: "DONE", errorResult: error } } }];
    expect(await warehouse.wait("a", STATEMENT, 1)).toEqual({ state: "failed", ...error });
  });

  it("stops when its process is shutting down, and reports the job as running", async () => {
    const stop = new AbortController();
    server.removeAllListeners("request").on("request", () => stop.abort());
    expect(await warehouse.wait("a", STATEMENT, 60_000, stop.signal)).toEqual({ state: "running", progress: 0 });
    server.closeAllConnections();
  });
});
