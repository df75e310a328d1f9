import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

function admin(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("node", ["--disable-warning=ExperimentalWarning", "scripts/admin.ts", ...args]);
  return { status, output: `${stdout}${stderr}` };
}

it.each([
  [["--help"], 0, /^Usage: npm run admin -- NOUN VERB/],
  [[], 0, /^Usage: npm run admin -- NOUN VERB/],
  [["tick", "--help"], 0, /^Usage: npm run admin -- tick/],
  [["tock"], 1, /^"tock" is not a verb; did you mean npm run admin -- tick\?\n$/],
  [["tick", "--state", "/nowhere"], 1, /^tick: No service is running: \/nowhere\/ready.json [^\n]*--state DIR\n$/],
  [["tick", "--stat", "x"], 1, /^tick: Unknown option '--stat'; did you mean --state\?\n$/],
])("admin %j exits with %i and says what to do", (args, status, line) => {
  const run = admin(...args);
  expect(run.output).toMatch(line);
  expect(run.status).toBe(status);
});
