import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { IMAGE_TAG, makeSandbox, type Rule } from "./testing/sandbox.ts";

const sandbox = makeSandbox();
afterAll(sandbox.remove);

const URLS = '{"users": "http://127.0.0.1:9", "data": "http://127.0.0.1:9"}';
const outputs = (candidate: string): Rule => ({
  call: "output -json environment",
  answer: `{"base_urls": ${URLS}, "candidate_base_urls": ${candidate}}`,
});
const IMAGE = "europe-north1-docker.pkg.dev/populus-test/functions/functions";
const DIGEST = `sha256:${"c".repeat(64)}`;
const COMMIT = "d".repeat(40);
const BUILD = {
  image: IMAGE,
  service_account: "projects/populus-test/serviceAccounts/b",
  sources: "gs://populus-test-function-sources/image",
};
const DEPLOYMENT: Rule = { call: "output -json deployment", answer: JSON.stringify(BUILD) };
const FINISHED = { discovery: [{ discovered: { analysisStatus: "FINISHED_SUCCESS" } }] };
const scan = (found: object): Rule => ({ call: "images describe .* --show-package-vulnerability", answer: JSON.stringify(found) });
const SCANNED = scan({ discovery_summary: FINISHED });
const FOUND: Rule = { call: `images describe ${IMAGE}:`, answer: `${DIGEST}\\n` };
const HEAD: Rule = { call: "^git rev-parse", answer: `${COMMIT}\\n` };
const service = (name: string, trigger: string, traffic: readonly object[]) => ({
  metadata: { name, labels: { function: name, trigger } },
  spec: { traffic },
  status: { latestCreatedRevisionName: `${name}-2`, latestReadyRevisionName: `${name}-2`, traffic },
});
const held = (name: string) => [{ revisionName: `${name}-1`, percent: 100 }];
const both = [service("auth-login", "http", held("auth-login")), service("aggregation-run", "topic", held("aggregation-run"))];
const services = (all: readonly object[]): Rule => ({ call: "^gcloud run services list", answer: JSON.stringify(all) });
const RULES = [outputs("null"), DEPLOYMENT, SCANNED, FOUND, HEAD, services(both)];
const moves = (calls: readonly string[]) =>
  calls.flatMap((call) => /update-traffic (\S+ \S+) --quiet/.exec(call)?.[1] ?? []).map((move) => move.replace("--to-revisions=", ""));

describe("the image of a deployment", () => {
  it("is built once, as the builds' account, in the registry of the project", async () => {
    const { output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [{ call: `images describe ${IMAGE}:` }, ...RULES] });
    expect(calls.filter((call) => call.startsWith("gcloud builds"))).toEqual([
      [
        "gcloud builds submit dist/image --project=populus-test --region=europe-north1 --config=scripts/image/cloudbuild.yaml",
        `--service-account=${BUILD.service_account} --gcs-source-staging-dir=${BUILD.sources} --substitutions=_IMAGE=${IMAGE}:${IMAGE_TAG}`,
      ].join(" "),
    ]);
    expect(output).toContain(`The image was built, and ${IMAGE}:${IMAGE_TAG} is not in the registry: nothing was deployed`);
  });

  it("is copied by its digest from the project where it was tested, and refused if it was not there or is another", async () => {
    const vars = "promoted.tfvars";
    writeFileSync(join(sandbox.root, vars), 'project_id = "populus-test"\npromote_from = "populus-dev"\n');
    const run = (...rules: Rule[]) => sandbox.run("deploy", ["prod", "--yes", "--vars", vars], { rules: [...rules, ...RULES] });
    const source = IMAGE.replace("populus-test", "populus-dev");
    const absent = { call: `images describe ${IMAGE}:` };
    const never = await run(absent);
    expect(never.output).toContain(`populus-dev has no image of this commit (${source}:${IMAGE_TAG}): deploy the commit there first`);
    const other = await run({ call: `images describe ${source}:`, answer: `${DIGEST}\\n` }, absent);
    expect(other.calls).toContain(`gcrane cp ${source}@${DIGEST} ${IMAGE}:${IMAGE_TAG}`);
    expect(other.output).toContain(`${IMAGE}:${IMAGE_TAG} is missing, and was ${DIGEST} in populus-dev: nothing was deployed`);
    for (const { calls } of [never, other]) expect(calls.join("\n")).not.toMatch(/builds submit| apply /);
  });

  it("is neither built nor missed if the registry cannot be asked, and is built if it says that there is none", async () => {
    const own = makeSandbox();
    const gcloud = join(own.bin, "gcloud");
    const fake = readFileSync(gcloud, "utf8");
    const answering = (says: string) => {
      const refusal = `[[ $call != *"images describe ${IMAGE}:"* ]] || { echo "ERROR: ${says}" >&2; exit 1; }`;
      writeFileSync(gcloud, fake.replace("while IFS", `${refusal}\nwhile IFS`));
      return own.run("deploy", ["dev", "--yes"], { rules: RULES });
    };
    const denied = await answering("PERMISSION_DENIED: artifactregistry.tags.get");
    expect([denied.exit, denied.output]).toEqual([1, expect.stringContaining("PERMISSION_DENIED: artifactregistry.tags.get")]);
    expect(denied.output).toContain(`The registry cannot be asked for ${IMAGE}:${IMAGE_TAG}: nothing was deployed`);
    expect(denied.calls.join("\n")).not.toMatch(/builds submit| apply /);
    const absent = await answering("(gcloud.artifacts.docker.images.describe) Image not found.");
    expect(absent.calls.join("\n")).toContain("gcloud builds submit");
    own.remove();
  });

  it("with a critical vulnerability that has a fix is deployed only if that is typed, whatever --yes says", async () => {
    const noteName = "projects/goog-vulnz/notes/CVE-2026-1";
    const critical = (fixAvailable: boolean) =>
      scan({
        discovery_summary: FINISHED,
        package_vulnerability_summary: {
          vulnerabilities: { CRITICAL: [{ noteName, vulnerability: { fixAvailable, packageIssue: [{ affectedPackage: "libssl3" }] } }] },
        },
      });
    const fixed = await sandbox.run("deploy", ["dev", "--yes"], { rules: [critical(true), ...RULES] });
    expect([fixed.exit, fixed.output]).toEqual([1, expect.stringContaining("CVE-2026-1 in libssl3 is critical, and has a fix")]);
    expect(fixed.calls.join("\n")).not.toContain(" plan ");
    const unfixed = await sandbox.run("deploy", ["dev", "--yes"], { rules: [critical(false), ...RULES] });
    expect(unfixed.calls.join("\n")).toContain(" apply ");
  });

  it("that is not scanned is not deployed", async () => {
    const { output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [scan({ image_summary: {} }), ...RULES] });
    expect(output).toContain("The image is not scanned: is containerscanning.googleapis.com enabled?");
    expect(calls.join("\n")).not.toContain(" plan ");
  });

  it("on a new project waits for the registry, which is created first", async () => {
    const { calls, output } = await sandbox.run("deploy", ["dev", "--yes"], {
      rules: [{ call: "output -json deployment" }, { call: "services list", answer: "[]" }, ...RULES],
    });
    const first = calls.filter((call) => / (plan|apply) /.test(call));
    expect(first).toEqual([
      expect.stringMatching(
        /-var=image=\S+@sha256:0{64} -target=module\.environment\.module\.build -target=module\.environment\.module\.buckets\.google_storage_bucket\.function_sources/,
      ),
      expect.stringMatching(/ apply -input=false \S+\/first$/),
    ]);
    // The output stays empty in this sandbox.
    expect(output).toContain("Terraform has no output deployment: nothing else was deployed");
  });
});

describe("a release", () => {
  it("is tested under the candidate's hosts before anything gets traffic", async () => {
    const { output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [outputs(URLS), ...RULES] });
    expect(moves(calls)).toEqual(["auth-login --update-tags=candidate=auth-login-2"]);
    expect(output).toContain("The smoke test of the release failed. It has no traffic");
  });

  it("that answers with errors at 5 % gives everything back, workers too", async () => {
    const errors = { call: "logging read", answer: '[{"resource": {"labels": {"service_name": "auth-login"}}}]' };
    // As after the share: gcloud's list does not change in this sandbox, so what is given back is what was held.
    const shared = [
      service("auth-login", "http", [
        { revisionName: "auth-login-1", percent: 95 },
        { revisionName: "auth-login-2", percent: 5 },
      ]),
      service("aggregation-run", "topic", held("aggregation-run")),
    ];
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [errors, services(shared), ...RULES] });
    expect([exit, output]).toEqual([1, expect.stringContaining("Answers with 5xx of the new revisions: auth-login 1")]);
    expect(output).toContain("The release answered with errors: traffic is as it was before");
    expect(moves(calls)).toEqual(["aggregation-run aggregation-run-2=100"]);
  });

  it("that was interrupted at 5 % goes on from the revision before it", async () => {
    const shared = service("auth-login", "http", [
      { revisionName: "auth-login-0", percent: 5 },
      { revisionName: "auth-login-1", percent: 95 },
    ]);
    const { calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [services([shared]), ...RULES] });
    expect(moves(calls)).toEqual(["auth-login auth-login-2=5,auth-login-1=95", "auth-login auth-login-2=100"]);
  });

  it("does not start while services would follow it by themselves: they are held before the apply", async () => {
    const following = service("auth-login", "http", [{ revisionName: "auth-login-1", percent: 100, latestRevision: true }]);
    const { calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [services([following]), ...RULES] });
    const order = calls.filter((call) => /update-traffic| apply /.test(call));
    expect(order[0]).toContain("update-traffic auth-login --to-revisions=auth-login-1=100");
    expect(order[1]).toContain(" apply ");
  });

  it("whose revision is not ready gets no traffic", async () => {
    const broken = { ...both[0], status: { ...both[0]?.status, latestReadyRevisionName: "auth-login-1" } };
    const { output, calls } = await sandbox.run("deploy", ["dev", "--yes"], { rules: [services([broken]), ...RULES] });
    expect([output, moves(calls)]).toEqual([expect.stringContaining("Not ready: auth-login-2"), []]);
  });
});

describe("deploy --to", () => {
  const revision = (name: string, created: string, ready = "True") => ({
    metadata: { name, creationTimestamp: created, labels: { commit: COMMIT, "serving.knative.dev/service": name.replace(/-\d$/, "") } },
    status: { conditions: [{ type: "Ready", status: ready }] },
  });
  const list = (all: readonly object[]): Rule => ({ call: "^gcloud run revisions list", answer: JSON.stringify(all) });

  it("gives all requests to the commit's newest ready revisions, and rolls nothing else back", async () => {
    const revisions = [
      revision("auth-login-0", "2026-11-20T10:00:00Z"),
      revision("auth-login-3", "2026-11-21T10:00:00Z"),
      revision("auth-login-4", "2026-11-22T10:00:00Z", "False"),
    ];
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--to", "abc", "--yes"], { rules: [list(revisions), ...RULES] });
    expect([exit, moves(calls)]).toEqual([0, ["auth-login auth-login-3=100"]]);
    expect(output).toContain("Not in that commit, so left as they are: aggregation-run");
    expect(calls.filter((call) => /^(terraform|npm)/.test(call))).toEqual([]);
    expect(calls).toContain(
      `gcloud run revisions list --filter=metadata.labels.commit=${COMMIT} --format=json --project=populus-test --region=europe-north1`,
    );
  });

  it("gives back every service that it can, and names those that it cannot", async () => {
    const names = Array.from({ length: 6 }, (_, index) => `endpoint-${index}`);
    const all = services(names.map((name) => service(name, "http", [{ revisionName: `${name}-2`, percent: 100 }])));
    const revisions = list(names.map((name) => revision(`${name}-1`, "2026-11-20T10:00:00Z")));
    const refused = { call: "update-traffic endpoint-0", status: 1 };
    const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--to", "abc", "--yes"], {
      rules: [refused, all, revisions, ...RULES],
    });
    expect([exit, output]).toEqual([1, expect.stringContaining("1 of 6 services were not changed:\nendpoint-0: ")]);
    expect(moves(calls).sort()).toEqual(names.map((name) => `${name} ${name}-1=100`));
  });

  it("changes nothing if the environment's name is not typed, or no service has a revision of the commit", async () => {
    const asked = await sandbox.run("deploy", ["dev", "--to", "abc"], { rules: RULES, typed: "yes\n" });
    expect([asked.exit, asked.output, moves(asked.calls)]).toEqual([1, expect.stringContaining("Nothing was done"), []]);
    const gone = await sandbox.run("deploy", ["dev", "--to", "abc", "--yes"], { rules: [list([]), ...RULES] });
    expect([gone.exit, gone.output, moves(gone.calls)]).toEqual([1, expect.stringContaining("No service has a revision of"), []]);
  });
});

it("deploy --plan only reads: no lock, no image, no apply; what a reviewer reads is on the page of the job", async () => {
  const change = { actions: ["create"], before: null, after: {} };
  const plan = { resource_changes: [{ address: "module.environment.google_pubsub_topic.a", type: "google_pubsub_topic", change }] };
  const page = join(sandbox.root, "summary.md");
  writeFileSync(page, "");
  const { exit, output, calls } = await sandbox.run("deploy", ["dev", "--plan"], {
    rules: [{ call: " show -json", answer: JSON.stringify(plan) }, { call: `images describe ${IMAGE}:` }, ...RULES],
    environment: { GITHUB_STEP_SUMMARY: page },
  });
  expect([exit, output]).toEqual([0, expect.stringContaining("### 1 to create\n\n- `module.environment.google_pubsub_topic.a`")]);
  expect(calls.join("\n")).toMatch(/ plan .*@sha256:0{64} -lock=false /);
  expect(calls.join("\n")).not.toMatch(/ apply |builds submit|storage cp|update-traffic|migrate/);
});

it("deploy --customers applies the customers' state of the environment, under the same lock", async () => {
  const { exit, calls } = await sandbox.run("deploy", ["dev", "--customers"], { rules: RULES, typed: "dev\n" });
  const customers = "terraform -chdir=terraform/customers";
  expect(exit).toBe(0);
  expect(calls.filter((call) => !call.startsWith("git "))).toEqual([
    expect.stringMatching(
      /^gcloud storage cp \S+\/lock gs:\/\/populus-test-terraform-state\/locks\/apply --if-generation-match=0 --quiet$/,
    ),
    `${customers} init -input=false -reconfigure -lockfile=readonly -backend-config=bucket=populus-test-terraform-state`,
    `${customers} workspace select -or-create dev`,
    expect.stringMatching(new RegExp(`^${customers} plan -input=false -out=`)),
    expect.stringMatching(new RegExp(`^${customers} show -json `)),
    expect.stringMatching(new RegExp(`^${customers} apply -input=false `)),
    "gcloud storage rm gs://populus-test-terraform-state/locks/apply --quiet",
  ]);
});
