import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const USAGE = /^Usage: \.\/scripts\/test\n/;

it.each([
  [["test", "--help"], 0, USAGE],
  [["test", "functions/maps"], 2, /^Unknown argument "functions\/maps"\n\nUsage: /],
  [["bundle", "--out"], 2, /^Unknown argument "--out"/],
  [["clients", "--fast"], 1, /^Unknown option '--fast'/],
  [["screenshots", "--help"], 0, /^Usage: npm run screenshots/],
  [["sample-map", "--help"], 0, /^Usage: npm run sample-map/],
  [["sample-map", "--size", "2"], 2, /^Unknown option '--size'[\s\S]*Usage: /],
  [["migrate"], 2, /^--project is required\n\nUsage: /],
  [["migrate", "--project", ""], 2, /^--project "" is not the id of a project: [^\n]*\n\nUsage: /],
  [["import", "odm_daily", "--file", "f", "--project", ""], 1, /^--project "" is not the id of a project: [^\n]*\n$/],
  [["privacy", "--project", ""], 2, /^--project "" is not the id of a project: [^\n]*\n$/],
  [["smoke", "--user", "x"], 2, /^Unknown option '--user'[\s\S]*Usage: /],
])("%j exits with %i and shows how it is used", (args, status, text) => {
  const [name, ...rest] = args;
  const run = spawnSync("node", ["--disable-warning=ExperimentalWarning", `scripts/${name}.ts`, ...rest], { encoding: "utf8" });
  expect([run.status, run.status === 0 ? run.stdout : run.stderr]).toEqual([status, expect.stringMatching(text)]);
});
