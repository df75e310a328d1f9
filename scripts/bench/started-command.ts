import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as v from "valibot";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const Ready = v.object({
  data_base_url: v.string(),
  engines: v.object({ firestore: v.picklist(["embedded", "google-emulator"]) }),
  customers: v.pipe(v.array(v.object({ keys: v.object({ storage: v.string() }) })), v.minLength(1)),
});

/** `./scripts/start` in a process of its own, as a user runs it. */
export interface StartedCommand {
  /** Milliseconds from the command to a line that begins with these words. Throws an Error with the output if it ends without it. */
  said(words: string): Promise<number>;
  /** Milliseconds since the command. */
  elapsed(): number;
  /** What it tells its users, once it is ready. */
  ready(): v.InferOutput<typeof Ready>;
  /** Stops it as Ctrl-C does. Throws an Error with the output if it fails. */
  stop(): Promise<void>;
}

/** Runs `./scripts/start` with these options, on free ports and in a state folder of its own. */
export function runStart(options: readonly string[]): StartedCommand {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const child = spawn("bash", [join(ROOT, "scripts/start"), "--state", state, "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: { readonly text: string; readonly ms: number }[] = [];
  const waiting = new Set<() => void>();
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (text) => {
      lines.push({ text, ms: elapsed() });
      for (const look of waiting) look();
    });
  const output = (): string => lines.map(({ text }) => text).join("\n");
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  ended.catch(() => undefined);
  const line = (words: string): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.find(({ text }) => text.startsWith(words));
        if (!found) return;
        waiting.delete(look);
        resolve(found.ms);
      };
      waiting.add(look);
      look();
    });
  return {
    elapsed,
    said: (words) =>
      Promise.race([
        line(words),
        ended.then((code) => {
          throw new Error(`./scripts/start ended with ${code} and did not say ${JSON.stringify(words)}:\n${output()}`);
        }),
      ]),
    ready: () => v.parse(Ready, JSON.parse(readFileSync(join(state, "ready.json"), "utf8"))),
    stop: async () => {
      child.kill("SIGINT");
      const code = await ended;
      rmSync(state, { recursive: true, force: true });
      if (code !== 0) throw new Error(`./scripts/start ended with ${code}:\n${output()}`);
    },
  };
}
