import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { describe, expect, it, vi } from "vitest";
import { startEmulator } from "./process.ts";

/** Like an emulator's start script: it serves in a child process and reports both process ids. */
const FORKING = `
  if (process.env.SERVES) {
    process.on("SIGTERM", () => {});
    require("node:http").createServer((_, response) => response.end(process.pid + " " + process.ppid)).listen(process.argv[1], "127.0.0.1");
  } else {
    require("node:child_process").spawn(process.execPath, ["-e", process.env.CODE, process.argv[1]], { env: { ...process.env, SERVES: "1" }, stdio: "inherit" });
  }
`;
const forking = (port: number) => ["env", `CODE=${FORKING}`, process.execPath, "-e", FORKING, String(port)];

const scriptSaying = (words: string) => () => ["sh", "-c", words];

async function pidsOf(address: string): Promise<number[]> {
  const response = await fetch(`http://${address}/`);
  return (await response.text()).split(" ").map(Number);
}

/** Whether a process runs. A zombie does not. */
async function runs(pid: number): Promise<boolean> {
  const state = await new Promise<string>((resolve) => {
    execFile("ps", ["-o", "stat=", "-p", String(pid)], (_error, stdout) => resolve(stdout.trim()));
  });
  return state !== "" && !state.startsWith("Z");
}

async function nothingRunsOf(pids: readonly number[]): Promise<void> {
  await vi.waitFor(async () => expect(await Promise.all(pids.map(runs))).toEqual(pids.map(() => false)), { timeout: 5_000, interval: 50 });
}

describe("an emulator's process", () => {
  it("serves once started and leaves no process when closed, not even a child that ignores SIGTERM", async () => {
    const emulator = await startEmulator({ name: "fake", command: forking });
    const pids = await pidsOf(emulator.address);
    expect(await Promise.all(pids.map(runs))).toEqual([true, true]);
    await emulator.close();
    await nothingRunsOf(pids);
    await expect(fetch(`http://${emulator.address}/`)).rejects.toThrow();
    await emulator.close();
  });

  it("leaves no process when its parent is killed with SIGKILL", async () => {
    const module = new URL("process.ts", import.meta.url).href;
    const code = `
      const { startEmulator } = await import(${JSON.stringify(module)});
      const command = (port) => ["env", "CODE=" + process.env.FORKING, process.execPath, "-e", process.env.FORKING, String(port)];
      console.log((await startEmulator({ name: "fake", command })).address);
    `;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", code], {
      env: { ...process.env, FORKING },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [address] = await once(createInterface(parent.stdout), "line");
    const pids = await pidsOf(address);
    expect(await Promise.all(pids.map(runs))).toEqual([true, true]);
    parent.kill("SIGKILL");
    await nothingRunsOf(pids);
  });

  it("rejects with its output when it exits before it answers", async () => {
    const started = startEmulator({ name: "fake", command: scriptSaying("echo reading; echo no such rules file >&2; exit 3") });
    await expect(started).rejects.toThrow(/^fake did not start \(ended with 3\): (.|\n)*no such rules file/);
  });

  it("rejects when it stays silent, and leaves no process", async () => {
    const started = startEmulator({ name: "fake", command: scriptSaying('echo "pid $$"; sleep 100'), patience: 300 });
    const error = await started.catch(String);
    expect(error).toMatch(/fake did not start \(silent for 300 ms\): pid \d+$/);
    await nothingRunsOf([Number(/pid (\d+)/.exec(String(error))?.[1])]);
  });

  it("rejects when the program does not exist", async () => {
    const started = startEmulator({ name: "fake", command: () => ["/nowhere/emulator"] });
    await expect(started).rejects.toThrow(/^fake did not start \(ended with 127\): .*\/nowhere\/emulator/);
  });

  it("uses another port when the first one is taken", async () => {
    const ports: number[] = [];
    const emulator = await startEmulator({
      name: "fake",
      command: (port) => {
        ports.push(port);
        return ports.length === 1 ? scriptSaying("echo Address already in use; exit 1")() : forking(port);
      },
    });
    expect(emulator.address).toBe(`127.0.0.1:${ports[1]}`);
    await emulator.close();
  });
});
