import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";

const SOURCE = fileURLToPath(new URL("stop-signal.ts", import.meta.url));

/** Says on stderr what asked it to stop, prints each line that it gets, and ends with its input. */
const PROGRAM = `import { createInterface } from "node:readline";
import { listenForStop } from ${JSON.stringify(SOURCE)};
const stop = listenForStop();
stop.received.then((name) => process.stderr.write(name));
createInterface(process.stdin).on("line", console.log).on("close", () => process.exit(stop.exitCode()));
process.stderr.write("listens ");`;

async function listening(environment: Readonly<Record<string, string>> = {}) {
  const child = spawn("node", ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", PROGRAM], {
    env: { ...process.env, ...environment },
  });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const exit = once(child, "close").then(([code, signal]) => code ?? signal);
  const says = (text: string): Promise<boolean> => vi.waitUntil(() => said === text, { timeout: 60_000 });
  await says("listens ");
  return { child, says, said: () => said, exit };
}

describe("a command that runs until it is stopped", () => {
  it.each([
    ["SIGINT", "SIGINT"],
    ["SIGTERM", "SIGTERM"],
    ["SIGHUP", "SIGINT"],
    ["SIGINT", "SIGTERM"],
  ] as const)("that %s has asked ends at once at %s", async (first, second) => {
    const { child, says, exit } = await listening();
    child.kill(first);
    await says(`listens ${first}`);
    child.kill(second);
    expect(await exit).toBe(second);
  });

  it("ends in order when its terminal closes, however often it is told so", async () => {
    const { child, says, said, exit } = await listening();
    child.kill("SIGHUP");
    await says("listens SIGHUP");
    child.kill("SIGHUP");
    child.stdin.end("after the second\n");
    expect([await exit, said()]).toEqual([129, "listens SIGHUP"]);
  });

  it("goes on under nohup when its terminal closes, and ends at another signal", async () => {
    const { child, says, exit } = await listening({ POPULUS_NOHUP: "1" });
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    await says("listens SIGTERM");
    child.stdin.end();
    expect(await exit).toBe(143);
  });

  it.each([
    ["bash", "undefined"],
    ["nohup", "1"],
  ])("is told by %s whether it is under nohup", (program, told) => {
    const telling = "--import data:text/javascript,process.stderr.write(String(process.env.POPULUS_NOHUP)+'\\n')";
    const start = fileURLToPath(new URL("start", import.meta.url));
    const args = program === "bash" ? [start, "--help"] : ["bash", start, "--help"];
    const { stderr } = spawnSync(program, args, { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: telling } });
    expect(stderr.trim().split("\n").at(-1)).toBe(told);
  });

  it("ends in order, without a trace of its stack, when nobody reads its output any more", async () => {
    const { child, says, said, exit } = await listening();
    child.stdout.destroy();
    child.stdin.write("a line\n");
    await says("listens SIGPIPE");
    child.stdin.end("another line\n");
    expect([await exit, said()]).toEqual([141, "listens SIGPIPE"]);
  });
});
