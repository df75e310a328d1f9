import { spawn } from "node:child_process";
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

async function listening() {
  const child = spawn("node", ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", PROGRAM]);
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const exit = once(child, "close").then(([code, signal]) => code ?? signal);
  const says = (text: string): Promise<boolean> => vi.waitUntil(() => said === text, { timeout: 60_000 });
  await says("listens ");
  return { child, says, said: () => said, exit };
}

describe("a command that runs until it is stopped", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("ends at once at a second %s", async (name) => {
    const { child, says, exit } = await listening();
    child.kill(name);
    await says(`listens ${name}`);
    child.kill(name);
    expect(await exit).toBe(name);
  });

  it("ends in order when its terminal closes, however often it is told so", async () => {
    const { child, says, said, exit } = await listening();
    child.kill("SIGHUP");
    await says("listens SIGHUP");
    child.kill("SIGHUP");
    child.stdin.end("after the second\n");
    expect([await exit, said()]).toEqual([129, "listens SIGHUP"]);
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
