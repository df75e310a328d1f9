import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BUILT, COMMIT, DIGEST, IMAGE, IMAGE_TAG, makeSandbox, type Rule } from "./cloud/testing/sandbox.ts";

const sandbox = makeSandbox();
afterAll(sandbox.remove);

/** Base URLs without a listener, so that the smoke test fails. */
const URLS = '{"users": "http://127.0.0.1:9", "data": "http://127.0.0.1:9"}';
const OUTPUTS: Rule = { call: "output -json environment", answer: `{"base_urls": ${URLS}, "candidate_base_urls": null}` };
/** An endpoint and a worker whose newest revisions are ready and get nothing yet. */
const service = (name: string, trigger: string) => ({
  metadata: { name, labels: { function: name, trigger } },
  spec: { traffic: [{ revisionName: `${name}-1`, percent: 100 }] },
  status: {
    latestCreatedRevisionName: `${name}-2`,
    latestReadyRevisionName: `${name}-2`,
    traffic: [{ revisionName: `${name}-1`, percent: 100 }],
  },
});
const SERVICES: Rule = {
  call: "^gcloud run services list",
  answer: JSON.stringify([service("auth-login", "http"), service("aggregation-run", "topic")]),
};
const RULES = [OUTPUTS, SERVICES, ...BUILT];

const PLACE = "--project=populus-test --region=europe-north1";
const TERRAFORM = "terraform -chdir=terraform/environments/dev";
const LIST = `gcloud run services list --format=json ${PLACE}`;
const LOCK = "gs://populus-test-terraform-state/locks/apply";
const UNLOCK = `gcloud storage rm ${LOCK} --quiet`;
const update = (name: string, argument: string) => `gcloud run services update-traffic ${name} ${argument} --quiet ${PLACE}`;
const matching = (pattern: string): unknown => expect.stringMatching(new RegExp(`^${pattern}$`));
const PLAN_OPTIONS = String.raw`-input=false -var-file=\S+/terraform\.tfvars -var=commit=${COMMIT} -var=image=${IMAGE}@${DIGEST} -out=\S+/plan`;
const BEFORE_APPLY = [
  "npm run --silent check",
  "npm run --silent bundle",
  matching(String.raw`gcloud storage cp \S+/lock ${LOCK} --if-generation-match=0 --quiet`),
  `${TERRAFORM} init -input=false -reconfigure -lockfile=readonly -backend-config=bucket=populus-test-terraform-state`,
  `${TERRAFORM} output -json deployment`,
  `gcloud artifacts docker images describe ${IMAGE}:${IMAGE_TAG} --format=value(image_summary.digest)`,
  `gcloud artifacts docker images describe ${IMAGE}@${DIGEST} --show-package-vulnerability --format=json`,
  matching(`${TERRAFORM} plan ${PLAN_OPTIONS}`),
  matching(String.raw`${TERRAFORM} show -json \S+/plan`),
];
const STEPS = [
  ...BEFORE_APPLY,
  "npm run --silent migrate -- --project populus-test",
  LIST,
  matching(String.raw`${TERRAFORM} apply -input=false \S+/plan`),
  "npm run --silent migrate -- --project populus-test --all",
  `${TERRAFORM} output -json environment`,
];
/** The release of two services without hosts for the candidate. */
const RELEASE = [
  LIST,
  update("aggregation-run", "--to-revisions=aggregation-run-2=100"),
  LIST,
  update("auth-login", "--to-revisions=auth-login-2=5,auth-login-1=95"),
  LIST,
  expect.stringMatching(/^gcloud logging read .*httpRequest\.status>=500 .*revision_name=\("auth-login-2"\)/),
  LIST,
  update("auth-login", "--to-revisions=auth-login-2=100"),
];
const steps = (calls: readonly string[]): string[] => calls.filter((call) => !call.startsWith("git "));

describe("scripts/deploy", () => {
  it("finds the image, plans, migrates, applies that plan, releases by traffic, and runs the smoke test, in this order and under a lock", async () => {
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: RULES });
    expect(steps(calls)).toEqual([...STEPS, ...RELEASE, LIST, UNLOCK]);
    expect([exit, output]).toEqual([1, expect.stringContaining("Deployed, but the smoke test failed")]);
    expect(output).toContain("POST users /login-with-apikey without a key: no answer");
  });

  it.each([
    [0, " check$", "A check failed: nothing was deployed"],
    [1, " bundle$", "The bundles could not be built: nothing was deployed"],
    [3, " init ", "Terraform cannot read its state, gs://populus-test-terraform-state: run scripts/bootstrap populus-test"],
    [6, "--show-package", "The scan of the image cannot be read: nothing was deployed"],
    [7, " plan ", "The plan failed: nothing was deployed"],
    [8, " show ", "The plan cannot be read: nothing was deployed"],
    [9, "migrate .*test$", "A migration failed: nothing else was deployed"],
    [10, "services list", "nothing else was deployed"],
    [11, " apply ", "The apply failed halfway"],
    [12, "migrate .*--all$", "Deployed, but a migration failed: deploy again"],
  ])("stops after step %i if it fails, and gives the lock back", async (failing, call, says) => {
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [{ call, status: 1 }, ...RULES] });
    expect([exit, output]).toEqual([1, expect.stringContaining(says)]);
    expect(steps(calls)).toEqual([...STEPS.slice(0, failing + 1), ...(failing > 2 ? [UNLOCK] : [])]);
  });

  it("if Terraform does not start, also says what to do with locked versions that do not fit any more", async () => {
    const { output } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [{ call: " init ", status: 1 }, ...RULES] });
    expect(output).toContain(
      "terraform/environments/dev/.terraform.lock.hcl does not fit any more: delete it, run scripts/bootstrap populus-test, and commit what it writes",
    );
  });

  it.each([
    ["--plan and --customers", ["dev", "--plan", "--customers"], "--to, --plan and --customers exclude each other"],
    ["--customers and --plan", ["dev", "--customers", "--plan", "--yes"], "--to, --plan and --customers exclude each other"],
    ["--plan and --to", ["dev", "--plan", "--to", "HEAD"], "--to, --plan and --customers exclude each other"],
    ["--to without a commit", ["prod", "--to"], "--to names no commit"],
    ["--to with a variable that is not set", ["prod", "--to", ""], "--to names no commit"],
    ["--to before another option", ["prod", "--to", "--yes"], "--to names no commit"],
    ["--vars without a file", ["dev", "--vars"], "--vars names no file"],
  ])("refuses %s, and does nothing", async (_what, args, says) => {
    const { exit, output, calls } = await sandbox.run("deploy", args, { rules: RULES });
    expect([exit, output.trim(), steps(calls)]).toEqual([1, says, []]);
  });

  it("does not start beside another apply, whose lock it leaves, and says who holds it", async () => {
    const held = [
      { call: "storage cp", status: 1 },
      { call: "storage cat", answer: "the customers of dev, by anna on ci\\n" },
    ];
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [...held, ...RULES] });
    expect([exit, output]).toEqual([1, expect.stringContaining("Another apply is under way: the customers of dev, by anna on ci")]);
    expect(output).toContain(`If it has ended without removing its lock: gcloud storage rm ${LOCK}`);
    expect(steps(calls)).toEqual([...STEPS.slice(0, 3), `gcloud storage cat ${LOCK}`]);
  });

  describe("whose lock is written, but not confirmed,", () => {
    /** A gcloud that keeps what is copied to the lock, and then does not say so. */
    const unconfirmed = (ends: string) => {
      const own = makeSandbox();
      const gcloud = join(own.bin, "gcloud");
      const [fake, kept] = [readFileSync(gcloud, "utf8"), join(own.root, "kept")];
      const cases = `case $call in *"storage cp "*) cp "$3" "${kept}"; ${ends} ;; *"storage cat "*) cat "${kept}"; exit ;; esac`;
      writeFileSync(gcloud, fake.replace("while IFS", `${cases}\nwhile IFS`));
      return own;
    };

    it("goes on if gcloud repeated the request and found this run's own lock", async () => {
      const own = unconfirmed("exit 1");
      const { exit, calls } = await own.run("deploy", ["dev", "--customers", "--yes"], { rules: RULES });
      expect([exit, calls.at(-1)]).toEqual([0, UNLOCK]);
      own.remove();
    });

    it("removes it if Ctrl-C ends it there", async () => {
      const own = unconfirmed("kill -INT $PPID; exit 130");
      const { exit, calls } = await own.run("deploy", ["dev", "--customers", "--yes"], { rules: RULES });
      expect([exit, calls.slice(-2)]).toEqual([130, [`gcloud storage cat ${LOCK}`, UNLOCK]]);
      own.remove();
    });
  });

  it("does not start beside another run in its folder, whose bundles and workspace it would change, and says how to remove a lock that was left", async () => {
    const own = makeSandbox();
    const lock = join(own.root, ".local/deploy.lock");
    // The first stops where it builds its bundles, and runs the second whole.
    const npm = join(own.bin, "npm");
    const again = `"${join(own.root, "scripts/deploy")}" dev --customers --yes >"${join(own.root, "second")}" 2>&1`;
    writeFileSync(
      npm,
      readFileSync(npm, "utf8").replace("exit 0", `[[ $call != *bundle ]] || ${again} || echo "$?" >>"${join(own.root, "second")}"`),
    );
    const { calls, exit } = await own.run("deploy", ["dev", "--plan"], { rules: RULES });
    expect(exit).toBe(0);
    const second = readFileSync(join(own.root, "second"), "utf8");
    expect(second).toMatch(/^Another run in this folder is under way: plan dev, by \S+, process \d+, since \S+Z\n/);
    expect(second).toContain(`If it has ended without removing its lock: rm '${lock}'\n1\n`);
    expect(calls.filter((call) => call.includes("terraform/customers"))).toEqual([]);
    expect(existsSync(lock)).toBe(false);
    own.remove();
  });

  it("on a full disk leaves no lock, and says that it cannot be written", () => {
    const own = makeSandbox();
    // No file may grow: that fails a write as a full disk does.
    const script = `cd '${own.root}/scripts/cloud' && . ./ask.sh && . ./lock.sh && root='${own.root}' && trap '' XFSZ && ulimit -f 0 && take_checkout plan`;
    const { status, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    const folder = join(own.root, ".local");
    expect([status, stderr]).toEqual([1, `The lock of this folder cannot be written: ${join(folder, "deploy.lock")}\n`]);
    expect(readdirSync(folder)).toEqual([]);
    own.remove();
  });

  it.each(["", "yes\n", "prod\n"])("applies nothing if %j is typed instead of the environment's name", async (typed) => {
    const { exit, output, calls } = await sandbox.run("deploy", ["dev"], { rules: RULES, typed });
    expect([exit, output]).toEqual([1, expect.stringContaining("Nothing was done")]);
    expect(steps(calls)).toEqual([...BEFORE_APPLY, UNLOCK]);
  });

  it("refuses a plan that would lose data, names the resource, and asks nothing", async () => {
    const change = { actions: ["delete", "create"], before: { deletion_protection: true }, after: {} };
    const address = "module.environment.module.warehouse.google_bigquery_table.this['mobility.odm_daily']";
    const plan = { resource_changes: [{ address, type: "google_bigquery_table", change }] };
    const rules = [{ call: " show -json", answer: JSON.stringify(plan) }, ...RULES];
    const { exit, output, calls } = await sandbox.run("deploy", ["dev"], { rules, typed: "dev\n" });
    expect([exit, steps(calls)]).toEqual([1, [...BEFORE_APPLY, UNLOCK]]);
    expect(output).toContain(`${address} would be replaced, with its rows`);
    expect(output).toContain("The plan would lose data, or protect it less: nothing was deployed");
    expect(output).not.toContain("Type dev");
  });

  it("applies if the environment's name is typed", async () => {
    const { calls, output } = await sandbox.run("deploy", ["dev"], { rules: RULES, typed: "dev\n" });
    expect(steps(calls)).toEqual([...STEPS, ...RELEASE, LIST, UNLOCK]);
    expect(output).toContain("Apply this to populus-test? Type dev:");
  });

  it("without the locked versions of the providers deploys to dev only, and says what writes them", async () => {
    const unlocked = makeSandbox();
    for (const environment of ["dev", "prod"]) rmSync(join(unlocked.root, `terraform/environments/${environment}/.terraform.lock.hcl`));
    const dev = await unlocked.run("deploy", ["dev"], { rules: RULES });
    expect(dev.output).toContain("terraform/environments/dev/.terraform.lock.hcl is missing");
    expect(dev.output).toContain("scripts/bootstrap populus-test writes it where registry.terraform.io is reached; commit it");
    expect(steps(dev.calls)[3]).toBe(String(STEPS[3]).replace("-lockfile=readonly ", ""));
    const vars = ["--vars", "terraform/environments/dev/terraform.tfvars"];
    const prod = await unlocked.run("deploy", ["prod", ...vars], { rules: RULES });
    expect([prod.exit, prod.output, steps(prod.calls)]).toEqual([1, expect.stringContaining(".terraform.lock.hcl is missing"), []]);
    unlocked.remove();
  });

  it("deploys uncommitted changes to dev only, under a name that is no commit", async () => {
    const rules = [{ call: "^git status", answer: " M shared/runtime/log.ts\\n" }, ...RULES];
    const vars = ["--vars", "terraform/environments/dev/terraform.tfvars"];
    const prod = await sandbox.run("deploy", ["prod", "--yes", ...vars], { rules });
    expect([prod.exit, prod.output, steps(prod.calls)]).toEqual([1, expect.stringContaining("Production is deployed from a commit"), []]);
    const dev = await sandbox.run("deploy", ["dev", "--yes"], { rules });
    expect([dev.output, steps(dev.calls)[7]]).toEqual([
      expect.stringContaining("this deployment matches no commit"),
      expect.stringContaining(` -var=commit=${COMMIT}-changed `),
    ]);
  });

  it("reads the project from a line that begins with project_id, and refuses a second file of variables", async () => {
    const zone = 'dns_zone = {\n  name       = "zone"\n  project_id = "populus-dns"\n}\n';
    const file = join(sandbox.root, "other.tfvars");
    writeFileSync(file, `${zone}project_id = "populus-other"\n`);
    const beside = await sandbox.run("deploy", ["dev", "--yes", "--vars", "other.tfvars"], { rules: RULES });
    expect([beside.exit, beside.output, steps(beside.calls)]).toEqual([
      1,
      expect.stringContaining(`terraform.tfvars as well as ${file}`),
      [],
    ]);
    const alone = await sandbox.run("deploy", ["prod", "--yes", "--vars", "other.tfvars"], { rules: RULES });
    expect(alone.output).toContain("Plan for populus-other");
    writeFileSync(file, zone);
    const none = await sandbox.run("deploy", ["prod", "--yes", "--vars", "other.tfvars"], { rules: RULES });
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
      "abc is older than infra/warehouse/migrations: its code does not run on the tables of today",
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
