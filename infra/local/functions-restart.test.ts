import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { StatusResponse, SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { adminCaller } from "../testing/contracts/firestore-admin.ts";
import { copyPreparedData } from "../testing/prepared-data.ts";
import { parseOptions } from "./options.ts";
import { listenOnLoopback } from "./server.ts";
import { type RunningService, startService } from "./service.ts";

const RESTARTS = 3;
const CLIENTS = 6;
const RETRY_AFTER_MS = 20;
/** Together the clients stay within a customer's rate limit, 100 requests a second, however long a process runs. */
const POLL_MS = CLIENTS * 10;
/** Of the free ports, 28,000 by default on Linux, so many that one of the functions' forty would be among them. */
const OTHERS_PORTS = 3000;
const Ready = v.object({ firestore_databases: v.object({ main: v.string() }) });
const Pids = v.object({ pids: v.object({ functions: v.number() }) });
const JOB = {
  ...{ agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m" },
  ...{ start_time: "2020-01-01", end_time: "2020-01-02" },
};

let state: string;
let service: RunningService;
/** The lines that the service has said. */
const said: string[] = [];

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "populus-restart-"));
  const data = join(state, "data");
  await copyPreparedData(data);
  service = await startService(
    parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--data", data, "--port", "0"]),
    (line) => void said.push(line),
  );
  // A process that is told to end answers the requests that wait for the sample first.
  await service.filled;
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
  const unfinished = new Set<string>();
  let completed = 0;
  let over = false;
  const submitAndFollow = async (): Promise<void> => {
    const submitted = await ask("/data-agg", "POST", { "idempotency-key": crypto.randomUUID() }, JOB);
    expect(submitted.status, JSON.stringify(submitted.body)).toBe(202);
    const { job_id, status_url } = v.parse(SubmitResponse, submitted.body);
    unfinished.add(job_id);
    for (;;) {
      const standing = await ask(status_url);
      expect(standing.status, JSON.stringify(standing.body)).toBe(200);
      const { status } = v.parse(StatusResponse, standing.body);
      if (status !== "queued" && status !== "running") {
        expect(status).toBe("completed");
        unfinished.delete(job_id);
        completed++;
        return;
      }
      await wait(POLL_MS);
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
  expect(unfinished.size).toBe(0);
});

it("crashed functions' ports are free for nobody, not even before their exit is known", async () => {
  const pid = pidOfFunctions();
  const ports = Object.values(service.ready.functions).map((url) => Number(new URL(url).port));
  process.kill(pid, "SIGKILL");
  // Waits for it in this process, which sees no exit meanwhile.
  const program = `const { createServer } = require("node:net");
    for (let made = 0; made < ${OTHERS_PORTS}; made++) {
      const server = createServer().listen(0, "127.0.0.1", () => console.log(server.address().port));
      server.unref();
    }`;
  const { stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
  const others = stdout.trim().split("\n").map(Number);
  await expect.poll(pidOfFunctions, { timeout: 60_000, interval: 20 }).not.toBe(pid);
  expect([ports.length > 30, others.length, others.filter((port) => ports.includes(port))]).toEqual([true, OTHERS_PORTS, []]);
});

it("crashed functions get their ports back, however many free ones other programs take meanwhile", async () => {
  const pid = pidOfFunctions();
  said.length = 0;
  process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => said.some((line) => line.includes("restarting it")), { interval: 1 });
  const others = await Promise.all(Array.from({ length: OTHERS_PORTS }, () => listenOnLoopback(createServer())));
  await expect.poll(pidOfFunctions, { timeout: 60_000, interval: 20 }).not.toBe(pid);
  await Promise.all(others.map((other) => other.close()));
  expect(said).toEqual(["The functions' process exited; restarting it …"]);
  expect((await ask("/data-agg/jobs?limit=1")).status).toBe(200);
});

const Created = v.object({ id: v.string() });
const Token = v.object({ access_token: v.string() });

/** Calls the Firestore Admin API as an operator does, with a token of the metadata server. */
async function operatorOf({ firestore_admin_endpoint, metadata_host, project }: RunningService["ready"]) {
  const url = `http://${metadata_host}/computeMetadata/v1/instance/service-accounts/default/token`;
  const { access_token } = v.parse(Token, await (await fetch(url, { headers: { "metadata-flavor": "Google" } })).json());
  return adminCaller(firestore_admin_endpoint, project, access_token);
}

/** Calls the Users API with a key of the first customer, which is an administrator. */
async function callUsers(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const { users_base_url: base, customers } = service.ready;
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: { "x-api-key": customers[0]?.keys.admin ?? "", "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, body: await answer.json() };
}

it("functions that are pointed at a restored database continue with its keys, maps and jobs, and write there alone", async () => {
  const { project, firestore_host: host } = service.ready;
  const square = "POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))";
  const draw = (name: string) => callUsers("POST", "/admin/maps", { name, type: "custom_polygon", geometry: square });
  const before = v.parse(Created, (await draw("Before the backup")).body);
  const job = v.parse(SubmitResponse, (await ask("/data-agg", "POST", {}, JOB)).body);
  await expect.poll(() => ask(job.status_url), { timeout: 60_000, interval: 20 }).toMatchObject({ body: { status: "completed" } });

  const operator = await operatorOf(service.ready);
  const backup = await operator.takeBackup("(default)");
  const lost = v.parse(Created, (await draw("After the backup")).body);
  expect(await operator.ended(await operator.restore(backup, "restored"))).toMatchObject({ metadata: { operationState: "SUCCESSFUL" } });
  await service.pointAt("restored");

  expect(v.parse(Ready, JSON.parse(readFileSync(join(state, "ready.json"), "utf8"))).firestore_databases.main).toBe("restored");
  expect(await callUsers("GET", `/admin/maps/${before.id}`)).toMatchObject({ status: 200 });
  expect(await callUsers("GET", `/admin/maps/${lost.id}`)).toMatchObject({ status: 404 });
  expect(await ask(job.status_url)).toMatchObject({ status: 200, body: { status: "completed" } });
  const next = v.parse(Created, (await draw("In the restored database")).body);
  const again = v.parse(SubmitResponse, (await ask("/data-agg", "POST", {}, JOB)).body);
  await expect.poll(() => ask(again.status_url), { timeout: 60_000, interval: 20 }).toMatchObject({ body: { status: "completed" } });

  const [former, restored] = ["(default)", "restored"].map(
    (databaseId) => new Firestore({ projectId: project, databaseId, host, ssl: false }),
  );
  const isIn = async (db: Firestore | undefined, path: string) => (await db?.doc(path).get())?.exists;
  expect([await isIn(former, `maps/${next.id}`), await isIn(restored, `maps/${next.id}`)]).toEqual([false, true]);
  expect([await isIn(former, `jobs/${again.job_id}`), await isIn(restored, `jobs/${again.job_id}`)]).toEqual([false, true]);
  await Promise.all([former?.terminate(), restored?.terminate()]);
});

it("a start is ready although its functions crash while it prepares the map", async () => {
  const own = mkdtempSync(join(tmpdir(), "populus-crash-"));
  const functions = (): number[] =>
    spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
      .stdout.split("\n")
      .filter((line) => line.includes("/infra/local/functions.ts"))
      .map((line) => Number.parseInt(line, 10));
  const others = functions();
  const crashed: number[] = [];
  const crash = (line: string): void => {
    if (!line.startsWith("Preparing their datasets")) return;
    crashed.push(...functions().filter((pid) => !others.includes(pid)));
    for (const pid of crashed) process.kill(pid, "SIGKILL");
  };
  const other = await startService(
    parseOptions(["--state", own, "--engines", "embedded", "--no-schedule", "--port", "0", "--days", "1"]),
    crash,
  );
  const { pids } = v.parse(Pids, JSON.parse(readFileSync(join(own, "ready.json"), "utf8")));
  expect([crashed.length, functions().filter((pid) => !others.includes(pid))]).toEqual([1, [pids.functions]]);
  await other.stop();
  rmSync(own, { recursive: true, force: true });
});
