import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeSandbox, type Rule } from "./cloud/testing/sandbox.ts";

const sandbox = makeSandbox();
afterAll(sandbox.remove);

/** Base URLs without a listener, so that the smoke test fails. */
const OUTPUTS: Rule = {
  call: "output -json environment",
  answer: '{"base_urls": {"users": "http://127.0.0.1:9", "data": "http://127.0.0.1:9"}}',
};
const STEPS = [
  "npm run --silent check",
  "npm run --silent bundle",
  "terraform -chdir=terraform/environments/dev init -input=false -reconfigure -lockfile=readonly -backend-config=bucket=populus-test-terraform-state",
  expect.stringMatching(
    /^terraform -chdir=terraform\/environments\/dev plan -input=false -var-file=\S+\/terraform\.tfvars -out=\S+\/plan$/,
  ),
  expect.stringMatching(/^terraform -chdir=terraform\/environments\/dev show -json \S+\/plan$/),
  "npm run --silent migrate -- --project populus-test",
  expect.stringMatching(/^terraform -chdir=terraform\/environments\/dev apply -input=false \S+\/plan$/),
  "npm run --silent migrate -- --project populus-test --all",
  "terraform -chdir=terraform/environments/dev output -json environment",
];
const steps = (calls: readonly string[]): string[] => calls.filter((call) => !call.startsWith("git "));

describe("scripts/deploy", () => {
  it("checks, bundles, plans, migrates the tables, applies that plan, and runs the smoke test, in this order", async () => {
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [OUTPUTS] });
    expect(steps(calls)).toEqual(STEPS);
    expect([exit, output]).toEqual([1, expect.stringContaining("Deployed, but the smoke test failed")]);
    expect(output).toContain("POST users /login-with-apikey without a key: no answer");
  });

  it.each([
    [0, "A check failed: nothing was deployed"],
    [1, "The bundles could not be built: nothing was deployed"],
    [2, "Terraform cannot read its state, gs://populus-test-terraform-state: run scripts/bootstrap populus-test"],
    [3, "The plan failed: nothing was deployed"],
    [4, "The plan cannot be read: nothing was deployed"],
    [5, "A migration failed: nothing else was deployed"],
    [6, "The apply failed halfway"],
    [7, "Deployed, but a migration failed: deploy again"],
  ])("stops after step %i if it fails", async (failing, says) => {
    const call = [" check$", " bundle$", " init ", " plan ", " show ", "migrate .*test$", " apply ", "migrate .*--all$"][failing] ?? "";
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [{ call, status: 1 }, OUTPUTS] });
    expect([exit, output]).toEqual([1, expect.stringContaining(says)]);
    expect(steps(calls)).toEqual(STEPS.slice(0, failing + 1));
  });

  it.each(["", "yes\n", "prod\n"])("applies nothing if %j is typed instead of the environment's name", async (typed) => {
    const { exit, output, calls } = await sandbox.run("deploy", ["dev"], { rules: [OUTPUTS], typed });
    expect([exit, output]).toEqual([1, expect.stringContaining("Nothing was done")]);
    expect(steps(calls)).toEqual(STEPS.slice(0, 5));
  });

  it("refuses a plan that would lose data, names the resource, and asks nothing", async () => {
    const change = { actions: ["delete", "create"], before: { deletion_protection: true }, after: {} };
    const address = "module.environment.module.warehouse.google_bigquery_table.this['mobility.odm_daily']";
    const plan = { resource_changes: [{ address, type: "google_bigquery_table", change }] };
    const rules = [{ call: " show -json", answer: JSON.stringify(plan) }, OUTPUTS];
    const { exit, output, calls } = await sandbox.run("deploy", ["dev"], { rules, typed: "dev\n" });
    expect([exit, steps(calls)]).toEqual([1, STEPS.slice(0, 5)]);
    expect(output).toContain(`${address} would be replaced, with its rows`);
    expect(output).toContain("The plan would lose data, or protect it less: nothing was deployed");
    expect(output).not.toContain("Type dev");
  });

  it("applies if the environment's name is typed", async () => {
    const { calls, output } = await sandbox.run("deploy", ["dev"], { rules: [OUTPUTS], typed: "dev\n" });
    expect(steps(calls)).toEqual(STEPS);
    expect(output).toContain("Apply this to populus-test? Type dev:");
  });

  it("without the locked versions of the providers deploys to dev only, and says what writes them", async () => {
    const unlocked = makeSandbox();
    for (const environment of ["dev", "prod"]) rmSync(join(unlocked.root, `terraform/environments/${environment}/.terraform.lock.hcl`));
    const dev = await unlocked.run("deploy", ["dev"], { rules: [OUTPUTS] });
    expect(dev.output).toContain("terraform/environments/dev/.terraform.lock.hcl is missing");
    expect(dev.output).toContain("scripts/bootstrap populus-test writes it where registry.terraform.io is reached; commit it");
    expect(steps(dev.calls)[2]).toBe(String(STEPS[2]).replace("-lockfile=readonly ", ""));
    const vars = ["--vars", "terraform/environments/dev/terraform.tfvars"];
    const prod = await unlocked.run("deploy", ["prod", ...vars], { rules: [OUTPUTS] });
    expect([prod.exit, prod.output, steps(prod.calls)]).toEqual([1, expect.stringContaining(".terraform.lock.hcl is missing"), []]);
    unlocked.remove();
  });

  it("deploys uncommitted changes to dev only", async () => {
    const rules = [{ call: "^git status", answer: " M shared/runtime/log.ts\\n" }, OUTPUTS];
    const vars = ["--vars", "terraform/environments/dev/terraform.tfvars"];
    const prod = await sandbox.run("deploy", ["prod", "--yes", ...vars], { rules });
    expect([prod.exit, prod.output, steps(prod.calls)]).toEqual([1, expect.stringContaining("Production is deployed from a commit"), []]);
    const dev = await sandbox.run("deploy", ["dev", "--yes"], { rules });
    expect([dev.output, steps(dev.calls).length]).toEqual([expect.stringContaining("this deployment matches no commit"), STEPS.length]);
  });

  it("reads the project from a line that begins with project_id, and refuses a second file of variables", async () => {
    const zone = 'dns_zone = {\n  name       = "zone"\n  project_id = "populus-dns"\n}\n';
    const file = join(sandbox.root, "other.tfvars");
    writeFileSync(file, `${zone}project_id = "populus-other"\n`);
    const beside = await sandbox.run("deploy", ["dev", "--yes", "--vars", "other.tfvars"], { rules: [OUTPUTS] });
    expect([beside.exit, beside.output, steps(beside.calls)]).toEqual([
      1,
      expect.stringContaining(`terraform.tfvars as well as ${file}`),
      [],
    ]);
    const alone = await sandbox.run("deploy", ["prod", "--yes", "--vars", "other.tfvars"], { rules: [OUTPUTS] });
    expect(alone.output).toContain("Plan for populus-other");
    writeFileSync(file, zone);
    const none = await sandbox.run("deploy", ["prod", "--yes", "--vars", "other.tfvars"], { rules: [OUTPUTS] });
    expect([none.output, steps(none.calls)]).toEqual([expect.stringContaining("has no line that begins with project_id"), []]);
  });

  it.each<[string, readonly string[], readonly Rule[], string]>([
    ["no environment is named", [], [], "Which environment?"],
    ["there is no such environment", ["staging"], [], "Unknown environment staging: must be dev or prod"],
    ["an option is unknown", ["dev", "--force"], [], "Unknown option --force"],
    ["it has no variables", ["prod"], [], "terraform/environments/prod/terraform.tfvars does not exist"],
    ["there is no such commit", ["dev", "--to", "abc"], [{ call: "^git rev-parse", status: 1 }], "There is no commit abc in"],
    [
      "the commit is from before there were migrations",
      ["dev", "--to", "abc"],
      [{ call: "^git cat-file -e .*:infra/warehouse/migrations$", status: 128 }],
      "abc is older than infra/warehouse/migrations: its Terraform would drop columns that were added since",
    ],
    [
      "Terraform is too old",
      ["dev"],
      [{ call: "^terraform version", answer: '{"terraform_version": "1.10.0"}' }],
      "Terraform 1.11 or newer is required; this is 1.10",
    ],
  ])("does not start if %s", async (_when, args, rules, says) => {
    const { exit, output, calls } = await sandbox.run("deploy", args, { rules });
    expect([exit, output, steps(calls)]).toEqual([1, expect.stringContaining(says), []]);
  });
});

it("rolls back with the target commit's deploy script and the current variables, and leaves no worktree", async () => {
  const repository = makeSandbox({ realGit: true });
  const git = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", [
      "-C",
      repository.root,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.com",
      ...args,
    ]);
    expect(status, String(stderr)).toBe(0);
    return String(stdout).trim();
  };
  const script = join(repository.root, "scripts/deploy");
  const today = readFileSync(script, "utf8");
  writeFileSync(join(repository.root, ".gitignore"), "bin/\nnode_modules/\nrecorded\nrules\n*.tfvars\n");
  writeFileSync(script, '#!/usr/bin/env bash\necho "the former script in $(git -C "$(dirname "$0")" rev-parse HEAD): $*"\n');
  mkdirSync(join(repository.root, "infra/warehouse/migrations"), { recursive: true });
  writeFileSync(join(repository.root, "infra/warehouse/migrations/README.md"), "# Migrations\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Former");
  const former = git("rev-parse", "HEAD");
  writeFileSync(script, today);
  git("commit", "--quiet", "--all", "--message", "Today");

  const { exit, output } = await repository.run("deploy", ["dev", "--to", "HEAD~1", "--yes"]);
  const vars = join(repository.root, "terraform/environments/dev/terraform.tfvars");
  expect([exit, output]).toEqual([0, expect.stringContaining(`the former script in ${former}: dev --vars ${vars} --yes`)]);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  repository.remove();
});
