import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { copyPreparedData } from "../infra/testing/prepared-data.ts";

const ReadyFile = v.object({
  users_base_url: v.string(),
  data_base_url: v.string(),
  pids: v.object({ cloud: v.number(), functions: v.number() }),
  customers: v.array(v.object({ uid: v.string(), keys: v.record(v.string(), v.string()) })),
});

interface Started {
  readonly process: ChildProcess;
  readonly state: string;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

const started: Started[] = [];

const PROGRAM = ["node", "--disable-warning=ExperimentalWarning", "scripts/start.ts"] as const;
const SCRIPT = ["bash", "scripts/start"] as const;

/** Runs `scripts/start.ts` like the shell script, or that script, with its own state folder. */
function start(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  [program, ...words]: typeof PROGRAM | typeof SCRIPT = PROGRAM,
): Started {
  const state = mkdtempSync(join(tmpdir(), "populus-start-"));
  const given = args.includes("--state") ? args : ["--state", state, "--engines", "embedded", "--days", "1", ...args];
  const child = spawn(program, [...words, ...given], { env: { ...process.env, ...environment } });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
  const run = { process: child, state, output: () => text, exit };
  started.push(run);
  return run;
}

function readReady({ state }: Started): v.InferOutput<typeof ReadyFile> {
  return v.parse(ReadyFile, JSON.parse(readFileSync(join(state, "ready.json"), "utf8")));
}

async function ready(run: Started): Promise<v.InferOutput<typeof ReadyFile>> {
  await vi.waitUntil(() => existsSync(join(run.state, "ready.json")), { timeout: 90_000 });
  return readReady(run);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A data folder of its own for a start, which the end of the run removes. */
async function preparedData(): Promise<string> {
  const folder = join(mkdtempSync(join(inject("runFolder"), "start-")), "data");
  await copyPreparedData(folder);
  return folder;
}

async function end(run: Started): Promise<number | null> {
  run.process.kill("SIGTERM");
  const code = await run.exit;
  rmSync(run.state, { recursive: true, force: true });
  return code;
}

/** Whether a server got a port: false while another process has it. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

afterEach(async () => {
  for (const run of started.splice(0)) await end(run);
});

describe("a running service", () => {
  /** For the tests that leave it running. Its environment names a proxy. */
  let shared: Started;
  let asked = 0;
  const proxy = createServer((socket) => {
    asked++;
    socket.destroy();
  });

  beforeAll(async () => {
    await listens(proxy, 0);
    const url = `http://127.0.0.1:${v.parse(v.object({ port: v.number() }), proxy.address()).port}`;
    const proxies = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "grpc_proxy"].map((name) => [name, url]);
    const others = { no_proxy: "", NO_PROXY: "example.org", no_grpc_proxy: "example.org", NODE_USE_ENV_PROXY: "1" };
    shared = start(["--tick", "2", "--data", await preparedData()], { ...Object.fromEntries(proxies), ...others }, SCRIPT);
    started.length = 0;
    await ready(shared);
  });

  afterAll(async () => {
    await end(shared);
    proxy.close();
  });

  it("asks no proxy for what is on this machine", async () => {
    const { data_base_url, customers } = readReady(shared);
    const headers = { "x-api-key": customers[0]?.keys.storage ?? "" };
    expect((await fetch(`${data_base_url}/data-availability?country_code=EST`, { headers })).status).toBe(200);
    expect(asked).toBe(0);
  });

  it("runs in parallel with another one, which leaves no process if it is killed", async () => {
    const run = start(["--data", await preparedData()]);
    const { pids, data_base_url } = await ready(run);
    const isServing = async (url: string): Promise<boolean> => (await fetch(`${url}/openapi.json`)).status === 200;
    expect([await isServing(data_base_url), await isServing(readReady(shared).data_base_url)]).toEqual([true, true]);
    run.process.kill("SIGKILL");
    await expect.poll(() => [lives(pids.cloud), lives(pids.functions)], { timeout: 60_000 }).toEqual([false, false]);
    expect(await isServing(readReady(shared).data_base_url)).toBe(true);
  });

  it("is not changed by a second start in its folder, which fails", async () => {
    const { users_base_url } = readReady(shared);
    const second = start(["--state", shared.state, "--engines", "embedded"]);
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/^Cannot start: A service runs in [^\n]* already \(process \d+\)[^\n]*\n$/);
    expect(readReady(shared).users_base_url).toBe(users_base_url);
  });

  it("restarts crashed functions at the same addresses without losing data", async () => {
    const { pids, users_base_url, customers } = readReady(shared);
    const login = async (): Promise<number> => {
      const headers = { "x-api-key": customers[0]?.keys.storage ?? "" };
      return (await fetch(`${users_base_url}/login-with-apikey`, { method: "POST", headers }).catch(() => undefined))?.status ?? 0;
    };
    expect(await login()).toBe(200);
    process.kill(pids.functions, "SIGKILL");
    await expect.poll(() => readReady(shared).pids.functions, { timeout: 60_000 }).not.toBe(pids.functions);
    expect(await login()).toBe(200);
    expect(readReady(shared).pids.cloud).toBe(pids.cloud);
  });

  it("restarts crashed functions once another process leaves one of their ports", async () => {
    const { pids, users_base_url } = readReady(shared);
    const { port } = new URL(users_base_url);
    const other = createServer();
    // The service takes the ports of its functions as soon as it sees that they have crashed.
    shared.process.kill("SIGSTOP");
    process.kill(pids.functions, "SIGKILL");
    await vi.waitUntil(() => listens(other, Number(port)), { timeout: 60_000, interval: 1 });
    shared.process.kill("SIGCONT");
    await vi.waitUntil(() => shared.output().includes("trying again"), { timeout: 60_000 });
    other.close();
    await expect.poll(() => readReady(shared).pids.functions, { timeout: 60_000 }).not.toBe(pids.functions);
    expect((await fetch(`${users_base_url}/openapi.json`)).status).toBe(200);
  });

  it("ticks: an enabled map gets its headcount, and the operator can fire a tick", async () => {
    const { users_base_url, data_base_url, customers } = readReady(shared);
    const headers = { "x-api-key": customers[0]?.keys.storage ?? "", "content-type": "application/json" };
    const send = async (url: string, body: object): Promise<unknown> =>
      (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json();
    const map = await send(`${users_base_url}/admin/maps`, { name: "Tallinn", type: "admin_level_2", ids: [784] });
    const { id } = v.parse(v.object({ id: v.string() }), map);
    await send(`${data_base_url}/admin/realtime`, { map_id: id, enable: true });
    const read = async (): Promise<unknown> => (await fetch(`${data_base_url}/admin/realtime/data`, { headers })).json();
    await expect.poll(read, { timeout: 60_000 }).toMatchObject({
      rows: [
        { target_name: "Old town and harbour", result: "SUCCESS" },
        { target_id: id, result: "SUCCESS" },
      ],
    });
    const before = await read();
    await expect.poll(read, { timeout: 60_000 }).not.toEqual(before);
    const tick = spawnSync("node", ["--disable-warning=ExperimentalWarning", "scripts/admin.ts", "tick", "--state", shared.state]);
    expect([tick.status, String(tick.stdout)]).toEqual([0, "Headcounts are refreshed from the newest measurement\n"]);
  });

  // The last one: it stops the service that the others share.
  it("exits with 0 when its terminal closes, which tells each process, and leaves neither a process nor ready.json", async () => {
    const { pids } = readReady(shared);
    const said = shared.output();
    for (const pid of [pids.cloud, pids.functions, pids.cloud]) process.kill(pid, "SIGHUP");
    for (let times = 0; times < 2; times++) shared.process.kill("SIGHUP");
    expect([await shared.exit, shared.output()]).toEqual([0, said]);
    expect([lives(pids.cloud), lives(pids.functions)]).toEqual([false, false]);
    expect(["ready.json", "tmp"].filter((name) => existsSync(join(shared.state, name)))).toEqual([]);
  });
});

describe("Ctrl-C during a start", () => {
  /** Runs a command in a process group of its own, as a terminal does, and interrupts it, or its group, once it has printed the text. */
  async function interrupted(
    command: readonly string[],
    printed: string,
    interrupt: (child: ChildProcess) => void = ({ pid = 0 }) => process.kill(-pid, "SIGINT"),
  ) {
    const state = mkdtempSync(join(tmpdir(), "populus-start-"));
    const [program = "", ...args] = command;
    const folders = ["--state", join(state, "new/state"), "--data", join(state, "data")];
    const child = spawn(program, [...args, ...folders, "--engines", "embedded"], { detached: true });
    const group = -(child.pid ?? 0);
    let output = "";
    const reached = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk) => {
          output += String(chunk);
          if (output.includes(printed)) resolve();
        });
    });
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    await reached;
    interrupt(child);
    const exit = await closed;
    const left = { files: readdirSync(state), isGroupAlive: lives(group) };
    rmSync(state, { recursive: true });
    return { exit, left, lines: output.split("\n").filter((line) => !/ …$|^Engines: |^$/.test(line)) };
  }

  it.each([
    ["scripts/start", "Starting the local cloud"],
    ["scripts/start", "Starting the functions"],
    ["scripts/demo", "Starting the local cloud"],
  ])("of %s, when it says %j, ends it in silence and leaves neither a process nor a folder", async (script, printed) => {
    expect(await interrupted(["bash", script], printed)).toEqual({ exit: 130, left: { files: [], isGroupAlive: false }, lines: [] });
  });

  it.each(["scripts/start", "scripts/demo"])(
    "of %s, or the end of what reads its output, such as head, leaves as little",
    async (script) => {
      const left = await interrupted(["bash", script], "Starting the local cloud", ({ stdout }) => stdout?.destroy());
      expect(left).toEqual({ exit: 141, left: { files: [], isGroupAlive: false }, lines: [] });
    },
  );

  it("or a terminal that closes, which says so more than once, leaves as little", async () => {
    const left = await interrupted(["bash", "scripts/start"], "Starting the functions", ({ pid = 0 }) => {
      for (let times = 0; times < 3; times++) process.kill(-pid, "SIGHUP");
    });
    expect(left).toEqual({ exit: 129, left: { files: [], isGroupAlive: false }, lines: [] });
  });

  it("keeps a folder that was there before", async () => {
    const data = await preparedData();
    const run = start(["--data", data]);
    await vi.waitUntil(() => run.output().includes("Starting the functions"), { timeout: 90_000, interval: 1 });
    run.process.kill("SIGINT");
    expect([await run.exit, existsSync(join(data, "populus.json")), existsSync(run.state)]).toEqual([130, true, true]);
    expect(run.output()).not.toContain("Cannot start");
  });
});

describe("a failed start", () => {
  it("names a taken port in one line", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        resolve(address !== null && typeof address === "object" ? address.port : 0);
      });
    });
    const run = start(["--port", String(port)]);
    expect(await run.exit).toBe(1);
    server.close();
    expect(run.output()).toMatch(new RegExp(`^Cannot start: Port ${port} is taken[^\\n]*\\n$`));
  });

  it.each([
    [
      "a folder that cannot be written",
      ["--state", "package.json/state"],
      /^Cannot start: The folder [^\n]*state cannot be written[^\n]*\n$/,
    ],
    ["a folder where none can be made", ["--state", "/proc/state"], /^Cannot start: The folder \/proc\/state cannot be written[^\n]*\n$/],
    ["an unknown option", ["--prot", "80"], /^Cannot start: Unknown option '--prot'[^\n]*\n$/],
    ["an invalid port", ["--port", "http"], /^Cannot start: --port must be a whole number[^\n]*\n$/],
    ["a missing country file", ["--countries", "/nowhere.json"], /Cannot start: --countries \/nowhere.json: there is no such file\n$/],
    [
      "a database that is not there",
      ["--database", "restored-1"],
      /Cannot start: There is no database restored-1 here: --database names one of \(default\)\n$/,
    ],
  ])("reports %s in one line", async (_what, args, line) => {
    const run = start(args);
    expect(await run.exit).toBe(1);
    expect(run.output()).toMatch(line);
  });

  it("in a folder with foreign storage deletes nothing", async () => {
    const state = mkdtempSync(join(tmpdir(), "populus-start-"));
    mkdirSync(join(state, "storage"));
    writeFileSync(join(state, "storage", "thesis.txt"), "years of work");
    const run = start(["--state", state, "--engines", "embedded"]);
    expect(await run.exit).toBe(1);
    expect(run.output()).toMatch(/^Cannot start: [^\n]*storage was not created by this service[^\n]*\n$/);
    expect(readFileSync(join(state, "storage", "thesis.txt"), "utf8")).toBe("years of work");
    rmSync(state, { recursive: true });
  });

  it("without Google's emulators says what is missing", async () => {
    const run = start(["--engines", "google"], { JAVA_HOME: "/nowhere", CLOUDSDK_ROOT: "/nowhere" });
    expect(await run.exit).toBe(1);
    expect(run.output()).toMatch(/Cannot start: [^\n]*(Java|emulator)[^\n]*\n$/);
  });
});
