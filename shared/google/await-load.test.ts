import { createServer, type Server } from "node:http";
import type { Job } from "@google-cloud/bigquery";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listen } from "../../infra/local/server.ts";
import { parseConfig } from "../runtime/config.ts";
import { awaitLoad } from "./await-load.ts";
import { bigqueryClient } from "./bigquery-client.ts";

const RUNNING = { status: { state: "RUNNING" } };
const DONE = { status: { state: "DONE" }, statistics: { load: { outputRows: "7" } } };
const LONG_MS = 60_000;

/** What BigQuery answers of the job, one answer after another; the last one again and again. */
let answers: readonly object[];
let asked: number;
let server: Server;
let job: Job;

beforeEach(async () => {
  process.env.METADATA_SERVER_DETECTION = "none";
  asked = 0;
  server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[Math.min(asked++, answers.length - 1)]));
  });
  const port = await listen(server, 0);
  const BIGQUERY_URL = `http://127.0.0.1:${port}`;
  const config = parseConfig({ GOOGLE_CLOUD_PROJECT: "populus-loads", ENVIRONMENT: "local", EXPORT_BUCKET: "exports", BIGQUERY_URL });
  job = bigqueryClient(config).job("load", { location: "EU" });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it("a load is asked for until it is over", async () => {
  answers = [RUNNING, RUNNING, DONE];
  expect(await awaitLoad(job, LONG_MS)).toEqual({ state: "done", rows: 7 });
  expect(asked).toBe(3);
});

it("the errors of a failed load have the object that they are of; without any, there is its own", async () => {
  const errorResult = { reason: "invalid", message: "Bad row" };
  const errors = [{ reason: "invalid", message: "Bad value", location: "gs://landing/a.csv" }];
  answers = [{ status: { state: "DONE", errorResult, errors } }, { status: { state: "DONE", errorResult } }];
  expect(await awaitLoad(job, LONG_MS)).toEqual({ state: "failed", ...errorResult, errors });
  expect(await awaitLoad(job, LONG_MS)).toEqual({ state: "failed", ...errorResult, errors: [{ ...errorResult, location: undefined }] });
});

it.each<[string, number, AbortSignal | undefined]>([
  ["the time is over", 0, undefined],
  ["the signal is aborted", LONG_MS, AbortSignal.abort()],
])("a load that runs is not waited for once %s", async (_why, milliseconds, signal) => {
  answers = [RUNNING];
  expect(await awaitLoad(job, milliseconds, signal)).toEqual({ state: "running" });
  expect(asked).toBe(1);
});

it("a wait ends when the signal is aborted meanwhile", async () => {
  answers = [RUNNING];
  const stop = new AbortController();
  const waiting = awaitLoad(job, LONG_MS, stop.signal);
  stop.abort();
  expect(await waiting).toEqual({ state: "running" });
});
