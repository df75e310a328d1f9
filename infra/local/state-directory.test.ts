import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leaveState, prepareState } from "./state-directory.ts";

const SOURCE = fileURLToPath(new URL("state-directory.ts", import.meta.url));
const LOCK_SOURCE = fileURLToPath(new URL("folder-lock.ts", import.meta.url));

let directory: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "populus-state-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  leaveState(directory);
  rmSync(directory, { recursive: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Starts a process and waits for its first output. */
async function saying(command: string, args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said).trim() };
}

/** A running process that holds the folder. */
async function owner(): Promise<ChildProcess> {
  const script = `import { prepareState } from ${JSON.stringify(SOURCE)};
await prepareState(${JSON.stringify(directory)});
console.log("taken");
setInterval(() => undefined, 1e6);`;
  const { child } = await saying("node", ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script]);
  return child;
}

describe("the state folder", () => {
  it("is refused while another process uses it, and is free once that process is killed", async () => {
    const other = await owner();
    await expect(prepareState(directory)).rejects.toThrow(`A service runs in ${directory} already (process ${other.pid}); stop it`);
    expect(readFileSync(join(directory, "service.pid"), "utf8")).toBe(String(other.pid));
    await kill(other);
    await prepareState(directory);
    expect(readFileSync(join(directory, "service.pid"), "utf8")).toBe(String(process.pid));
  });

  it("is free even if the id of the killed process now belongs to another one", async () => {
    const { child } = await saying("bash", ["-c", "echo living; exec sleep 600"]);
    writeFileSync(join(directory, "service.pid"), String(child.pid));
    await prepareState(directory);
    expect(child.exitCode).toBe(null);
  });

  it.runIf(existsSync("/proc"))("is free even if the killed process is a zombie", async () => {
    // The process that bash becomes never waits for the child that bash started.
    const { child, said: pid } = await saying("bash", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
    await expect.poll(() => readFileSync(`/proc/${child.pid}/comm`, "utf8")).toBe("sleep\n");
    process.kill(Number(pid), "SIGKILL");
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
    writeFileSync(join(directory, "service.pid"), pid);
    await prepareState(directory);
  });

  it("is free if the process was killed while it took the lock; a foreign file is kept", async () => {
    const lock = join(directory, "service.lock");
    writeFileSync(lock, "");
    await prepareState(directory);
    leaveState(directory);
    truncateSync(lock, 4096);
    await prepareState(directory);
    leaveState(directory);
    writeFileSync(lock, "years of work");
    await expect(prepareState(directory)).rejects.toThrow(
      /^The folder [^\n]* cannot be written [^\n]*service.lock[^\n]*; choose another one with --state DIR$/,
    );
    expect(readFileSync(lock, "utf8")).toBe("years of work");
  });

  it("can be released and taken again by one process", async () => {
    await prepareState(directory);
    leaveState(directory);
    const other = await owner();
    expect(readFileSync(join(directory, "service.pid"), "utf8")).toBe(String(other.pid));
  });
});

it("a package that is not installed is not taken for a folder that cannot be written", () => {
  const script = `import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (name === "@duckdb/node-api") throw Object.assign(new Error("Cannot find module " + name), { code: "MODULE_NOT_FOUND" });
    return next(name, context);
  },
});
const { prepareState } = await import(${JSON.stringify(SOURCE)});
const { holdFolder } = await import(${JSON.stringify(LOCK_SOURCE)});
for (const hold of [prepareState, holdFolder]) await hold(${JSON.stringify(directory)}).catch(({ message }) => console.log(message));`;
  const { stdout } = spawnSync("node", ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect(stdout).toBe("Cannot find module @duckdb/node-api\n".repeat(2));
});
