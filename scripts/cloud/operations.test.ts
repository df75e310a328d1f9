import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MODULE = join(ROOT, "terraform/modules/operations");

/** Returns the text of all files in a folder tree whose names match. */
function textOf(folder: string, name: RegExp): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => name.test(file));
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))].sort();
}

const terraform = textOf(MODULE, /\.tf$/);
const source = textOf(join(ROOT, "shared"), /(?<!\.test)\.ts$/);

it("log metrics filter by messages that the functions write", () => {
  const messages = all(terraform, /jsonPayload\.message=\\"([^"\\]+)\\"/g);
  expect(messages).toEqual([
    "A batch was quarantined",
    "A day of data did not arrive",
    "A tick is given up",
    "Headcounts refreshed",
    "Swept",
  ]);
  const watched = [...terraform.matchAll(/(severity=ERROR AND )?jsonPayload\.message=\\"([^"\\]+)\\"/g)];
  expect(new Set(watched.map(([, , message]) => message)).size).toBe(messages.length);
  for (const [, error, message] of watched) expect(source).toContain(`log("${error === undefined ? "INFO" : "ERROR"}", "${message}"`);
});

it("log metrics filter by actions of the audit that exist", () => {
  const actions = all(terraform, /jsonPayload\.audit\.action=\\"([^"\\]+)\\"/g);
  expect(actions).toEqual(["key.network"]);
  for (const action of actions) expect(source).toContain(`("${action}", `);
});

it("alerts refer to log metrics only through the sleep after which these are available", () => {
  const alerts = textOf(MODULE, /^alerts.*\.tf$/);
  expect(all(alerts, /local\.logged\["(\w+)"\]/g).length).toBeGreaterThan(2);
  expect(alerts).not.toMatch(/local\.chore|logging\.googleapis\.com\/user/);
  expect(terraform).toMatch(/logged = \{ for name, metric in time_sleep\.metrics\.triggers :/);
});

it("sweep metrics use the chore names that a sweep logs", () => {
  const [, table = ""] = /for name, description in \{([^}]*)\}/.exec(terraform) ?? [];
  const chores = all(table, /^\s*(\w+)\s*=/gm);
  expect(chores.length).toBeGreaterThan(0);
  const sweep = readFileSync(join(ROOT, "shared/aggregation/sweep-jobs.ts"), "utf8");
  for (const chore of [...chores, ...all(terraform, /jsonPayload\.(\w+)>0/g)]) expect(sweep).toContain(`"${chore}",`);
});

it("alerts refer to existing functions", () => {
  const permissions: object = JSON.parse(readFileSync(join(ROOT, "infra/generated/permissions.json"), "utf8"));
  const watched = all(terraform, /service_name=\\"([a-z-]+)\\"/g);
  expect(watched.length).toBeGreaterThan(0);
  for (const name of watched) expect(permissions).toHaveProperty(name);
});

it("every alert has a runbook, every runbook an alert, and terraform/README.md links to all", () => {
  const runbooks = readdirSync(join(MODULE, "runbooks")).map((file) => file.replace(/\.md$/, ""));
  expect(all(terraform, /local\.runbooks\["([a-z-]+)"\]/g)).toEqual(runbooks.sort());
  expect([...terraform.matchAll(/resource "google_monitoring_alert_policy"/g)]).toHaveLength(runbooks.length);
  const page = readFileSync(join(ROOT, "terraform/README.md"), "utf8");
  for (const name of runbooks) expect(page).toContain(`(modules/operations/runbooks/${name}.md)`);
});

it("runbooks fit into an alert: at most 8 KiB, with variables that Cloud Monitoring knows", () => {
  for (const file of readdirSync(join(MODULE, "runbooks"))) {
    const text = readFileSync(join(MODULE, "runbooks", file), "utf8");
    expect(Buffer.byteLength(text), file).toBeLessThanOrEqual(8192);
    // https://cloud.google.com/monitoring/alerts/doc-variables
    for (const variable of all(text, /\$\{([^}]*)\}/g)) expect(variable, file).toMatch(/^(metric|resource)\.label\.[a-z_]+$/);
  }
});
