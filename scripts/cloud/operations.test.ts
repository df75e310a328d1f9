import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MODULE = join(ROOT, "terraform/modules/operations");

/** The text of all files below a folder whose names match. */
function textOf(folder: string, name: RegExp): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => name.test(file));
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))].sort();
}

const terraform = textOf(MODULE, /\.tf$/);
const source = textOf(join(ROOT, "shared"), /(?<!\.test)\.ts$/);

it("counts lines of the log that the functions write, by the messages that they write", () => {
  const messages = all(terraform, /jsonPayload\.message=\\"([^"\\]+)\\"/g);
  expect(messages).toEqual(["Headcounts refreshed", "Swept"]);
  for (const message of messages) expect(source).toContain(`log("INFO", "${message}"`);
});

it("looks at metrics of the log only by way of the sleep after which they can be looked at", () => {
  const alerts = textOf(MODULE, /^alerts.*\.tf$/);
  expect(all(alerts, /local\.logged\["(\w+)"\]/g).length).toBeGreaterThan(2);
  expect(alerts).not.toMatch(/local\.chore|logging\.googleapis\.com\/user/);
  expect(terraform).toMatch(/logged = \{ for name, metric in time_sleep\.metrics\.triggers :/);
});

it("counts what a sweep logs, by the names of its chores", () => {
  const [, table = ""] = /for name, description in \{([^}]*)\}/.exec(terraform) ?? [];
  const chores = all(table, /^\s*(\w+)\s*=/gm);
  expect(chores.length).toBeGreaterThan(0);
  const sweep = readFileSync(join(ROOT, "shared/aggregation/sweep-jobs.ts"), "utf8");
  for (const chore of [...chores, ...all(terraform, /jsonPayload\.(\w+)>0/g)]) expect(sweep).toContain(`"${chore}",`);
});

it("watches functions that there are", () => {
  const permissions: object = JSON.parse(readFileSync(join(ROOT, "infra/generated/permissions.json"), "utf8"));
  const watched = all(terraform, /service_name=\\"([a-z-]+)\\"/g);
  expect(watched.length).toBeGreaterThan(0);
  for (const name of watched) expect(permissions).toHaveProperty(name);
});

it("has a runbook for each alert, and none for nothing; the README tells of all", () => {
  const runbooks = readdirSync(join(MODULE, "runbooks")).map((file) => file.replace(/\.md$/, ""));
  expect(all(terraform, /local\.runbooks\["([a-z-]+)"\]/g)).toEqual(runbooks.sort());
  expect([...terraform.matchAll(/resource "google_monitoring_alert_policy"/g)]).toHaveLength(runbooks.length);
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  for (const name of runbooks) expect(readme).toContain(`\`${name}\``);
});

it("has runbooks that an alert can carry: at most 8 KiB, and no variable that Cloud Monitoring does not know", () => {
  for (const file of readdirSync(join(MODULE, "runbooks"))) {
    const text = readFileSync(join(MODULE, "runbooks", file), "utf8");
    expect(Buffer.byteLength(text), file).toBeLessThanOrEqual(8192);
    // https://cloud.google.com/monitoring/alerts/doc-variables
    for (const variable of all(text, /\$\{([^}]*)\}/g)) expect(variable, file).toMatch(/^(metric|resource)\.label\.[a-z_]+$/);
  }
});
