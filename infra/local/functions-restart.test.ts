import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StatusResponse, SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { copyPreparedData } from "../testing/prepared-data.ts";
import { parseOptions } from "./options.ts";
import { type RunningService, startService } from "./service.ts";

const RESTARTS = 3;
const CLIENTS = 6;
const RETRY_AFTER_MS = 20;
const Pids = v.object({ pids: v.object({ functions: v.number() }) });
const JOB = {
  ...{ agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" },
  ...{ start_time: "2020-01-01", end_time: "2020-01-02" },
};

let state: string;
let service: RunningService;

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "populus-restart-"));
  const data = join(state, "data");
  await copyPreparedData(data);
  service = await startService(parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--data", data]), () => undefined);
});

afterAll(async () => {
  await service?.stop();
  rmSync(state, { recursive: true, force: true });
});

function pidOfFunctions(): number {
  return v.parse(Pids, JSON.parse(readFileSync(join(state, "ready.json"), "utf8"))).pids.functions;
}

/** A client that retries a request only if its connection failed. */
async function ask(
  path: string,
  method = "GET",
  headers: Record<string, string> = {},
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const { data_base_url: base, customers } = service.ready;
  const key = customers[0]?.keys.storage ?? "";
  for (;;) {
    try {
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json", ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: answer.status, body: await answer.json() };
    } catch {
      // At once, six clients would take the processor from the process that is to answer them.
      await wait(RETRY_AFTER_MS);
    }
  }
}

it("no request fails and no job is lost while the functions' process is stopped again and again", async () => {
  const statuses = new Set<number>();
  const unfinished = new Set<string>();
  let completed = 0;
  let over = false;
  const submitAndFollow = async (): Promise<void> => {
    const submitted = await ask("/data-agg", "POST", { "idempotency-key": crypto.randomUUID() }, JOB);
    statuses.add(submitted.status);
    const { job_id, status_url } = v.parse(SubmitResponse, submitted.body);
    unfinished.add(job_id);
    for (;;) {
      const standing = await ask(status_url);
      statuses.add(standing.status);
      const { status } = v.parse(StatusResponse, standing.body);
      if (status !== "queued" && status !== "running") {
        expect(status).toBe("completed");
        unfinished.delete(job_id);
        completed++;
        return;
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!over) await submitAndFollow();
  });
  for (let restart = 0; restart < RESTARTS; restart++) {
    const before = completed;
    await expect.poll(() => completed, { timeout: 60_000, interval: 20 }).toBeGreaterThan(before);
    const pid = pidOfFunctions();
    process.kill(pid, "SIGTERM");
    await expect.poll(pidOfFunctions, { timeout: 60_000, interval: 20 }).not.toBe(pid);
  }
  over = true;
  await Promise.all(clients);
  expect({ statuses: [...statuses].sort(), unfinished: unfinished.size }).toEqual({ statuses: [200, 202], unfinished: 0 });
}, 120_000);
