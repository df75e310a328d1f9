import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import functions from "../../infra/generated/functions.json" with { type: "json" };
import logMetrics from "../../infra/generated/log-metrics.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import { verbs } from "../admin/catalogue.ts";
import { JOURNEYS, OBJECTIVES } from "../terraform/operations/objectives.ts";

const ROOT = join(import.meta.dirname, "../..");
const MODULE = join(ROOT, "terraform/modules/operations");

function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].flatMap(([, found]) => found ?? []))].sort();
}

const files = readdirSync(MODULE).filter((file) => file.endsWith(".tf"));
const textOf = (name: RegExp) => files.flatMap((file) => (name.test(file) ? readFileSync(join(MODULE, file), "utf8") : [])).join("\n");
const terraform = textOf(/./);
const runbooks = readdirSync(join(MODULE, "runbooks")).map((file) => ({
  name: file.replace(/\.md$/, ""),
  text: readFileSync(join(MODULE, "runbooks", file), "utf8"),
}));

it("alerts, objectives and charts name log metrics that exist, and only after the sleep after which these are available", () => {
  const logged = all(terraform, /local\.logged\["(\w+)"\]/g);
  expect(logged.length).toBeGreaterThan(2);
  expect(Object.keys({ ...logMetrics.counters, ...logMetrics.distributions })).toEqual(expect.arrayContaining(logged));
  expect(textOf(/^alerts.*\.tf$/)).not.toMatch(/logging\.googleapis\.com\/user/);
  expect(terraform).toMatch(/logged = \{ for name, metric in time_sleep\.metrics\.triggers :/);
  expect(textOf(/^objectives\.tf$/)).toContain("depends_on = [time_sleep.metrics]");
});

it("alerts and journeys name existing functions", () => {
  const names = new Set(functions.map(({ name }) => name));
  const watched = [...all(terraform, /service_name=\\"([a-z-]+)\\"/g), ...Object.values(JOURNEYS).flatMap((journey) => journey.endpoints)];
  const measured = Object.values(OBJECTIVES).flatMap(({ measure }) => (measure.kind === "latency" ? [measure.endpoint] : []));
  expect(watched.length).toBeGreaterThan(5);
  for (const name of [...watched, ...measured]) expect(names).toContain(name);
});

it("the latency of a journey's objective is that of one of its endpoints", () => {
  for (const { measure, journey } of Object.values(OBJECTIVES))
    if (measure.kind === "latency") expect(JOURNEYS[journey].endpoints).toContain(measure.endpoint);
});

describe("runbooks", () => {
  it("every alert has one, every one has an alert, and terraform/README.md links to all", () => {
    const policies = [...terraform.matchAll(/resource "google_monitoring_alert_policy" "(\w+)" \{\n(.*?)^\}/gms)];
    const named = policies.flatMap(([, , body = ""]) =>
      [...body.matchAll(/content\s+= local\.runbooks\["?([^"\]]+)"?\]/g)].map(([, found]) => found),
    );
    expect(named).toHaveLength(policies.length);
    // The policies of objectives take theirs from the table of objectives.
    const own = named.filter((name) => name !== "each.value.runbook");
    const ofObjectives = Object.values(OBJECTIVES).map(({ runbook }) => runbook);
    expect([...new Set([...own, ...ofObjectives])].sort()).toEqual(runbooks.map(({ name }) => name).sort());
    const page = readFileSync(join(ROOT, "terraform/README.md"), "utf8");
    for (const { name } of runbooks) expect(page).toContain(`(modules/operations/runbooks/${name}.md)`);
  });

  it.each(runbooks)("$name fits into an alert: at most 8 KiB, with variables that Cloud Monitoring knows", ({ text }) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
    // https://cloud.google.com/monitoring/alerts/doc-variables
    for (const variable of all(text, /\$\{([^}]*)\}/g)) expect(variable).toMatch(/^(metric|resource)\.label\.[a-z_]+$/);
  });

  it.each(runbooks)("$name has a command to look and one to act, before the steps, and both exist", ({ text }) => {
    const [head = ""] = text.split(/^1\. /m);
    const [look, act] = ["Look", "Act"].map((verb) => new RegExp(`^- ${verb}: \`([^\`]+)\`$`, "m").exec(head)?.[1]);
    for (const command of [look, act]) expect(isKnown(command ?? ""), command).toBe(true);
    expect(look).toMatch(/ (read|list|describe)\b|^curl -sv/);
    expect(act).not.toBe(look);
  });

  it.each(runbooks)("$name has only commands that name their project, to be copied as they are", ({ text }) => {
    const commands = [...text.matchAll(/`([^`]+)`/g)].map(([, found = ""]) => found.replace(/\n\s*/g, " "));
    for (const command of commands) {
      if (/^npm run\b/.test(command)) expect(command).toMatch(/^npm run -s \w+ -- .* --project PROJECT\b/);
      if (/^npm run -s admin /.test(command)) expect(command).toMatch(/ --environment ENV\b/);
      if (/\b(gcloud (?!storage)|bq )/.test(command)) expect(command).toMatch(/ (--project|--project_id) PROJECT\b|^bq rm -t PROJECT:/);
      // zsh refuses a pattern that matches no file.
      if (command.startsWith("gcloud storage ")) expect(command.replaceAll(/'[^']*'/g, "")).not.toContain("*");
      // Its variables are the deploy script's.
      expect(command).not.toMatch(/^terraform (plan|apply)\b/);
    }
  });

  it.each(runbooks)("$name names log messages and fields that the metrics or the code have", ({ text }) => {
    for (const message of all(text, /jsonPayload\.message="([^"]+)"/g)) expect(JSON.stringify(logMetrics)).toContain(message);
    const fields = all(text, /jsonPayload\.(\w+)/g).filter((field) => field !== "message");
    const source = [
      "http/serve.ts",
      "runtime/log.ts",
      "runtime/audit.ts",
      "aggregation/run-job.ts",
      "realtime/complete-tick.ts",
      "aggregation/dead-letter.ts",
    ]
      .map((file) => readFileSync(join(ROOT, "shared", file), "utf8"))
      .join("\n");
    for (const field of fields) expect(source).toMatch(new RegExp(`\\b${field}\\b`));
  });
});

/** Returns whether a command starts a program that an operator has, and if it is the project's, one that exists. */
function isKnown(command: string): boolean {
  const [, script] = /^npm run -s (\S+)/.exec(command) ?? [];
  if (script !== undefined)
    return script in manifest.scripts && (script !== "admin" || Object.keys(verbs).some((verb) => command.includes(` -- ${verb} `)));
  const [, file] = /^\.\/(scripts\/\w+)/.exec(command) ?? [];
  return file === undefined ? /^(gcloud (logging|run|scheduler|tasks) |bq |curl )/.test(command) : existsSync(join(ROOT, file));
}
