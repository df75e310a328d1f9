import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import functions from "../infra/generated/functions.json" with { type: "json" };
import { makeSandbox, type Rule } from "./cloud/testing/sandbox.ts";

const sandbox = makeSandbox();
afterAll(sandbox.remove);

/** An empty project with billing. */
const EMPTY: readonly Rule[] = [
  { call: "^gcloud projects describe", answer: "123456789\\n" },
  { call: "^gcloud billing projects describe", answer: "True\\n" },
  { call: "^gcloud version", answer: "Google Cloud SDK 547.0.0\\nalpha 2026.11.14\\nbeta 2026.11.14\\nbq 2.1.24\\n" },
  { call: "^gcloud compute regions describe", answer: "CPUS,24.0,0.0\\nNETWORK_ENDPOINT_GROUPS,200.0,3.0\\n" },
  { call: "^gcloud compute project-info describe", answer: "BACKEND_SERVICES,9.0,0.0\\nURL_MAPS,10.0,1.0\\n" },
];
const changes = (calls: readonly string[]): string[] =>
  calls.filter((call) => !/ (describe|list|get-iam-policy) |^gcloud version$/.test(call));

describe("scripts/bootstrap", () => {
  it("enables the APIs, creates the state bucket and the accounts of Google's services, and tries a build, in this order", async () => {
    const { exit, output, calls } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: EMPTY });
    expect([exit, output]).toEqual([0, expect.stringContaining("populus-test is ready")]);
    expect(changes(calls)).toEqual([
      expect.stringMatching(/^gcloud services enable analyticshub\.googleapis\.com( [a-z]+\.googleapis\.com){19} --project populus-test$/),
      expect.stringMatching(/^gcloud services enable( [a-z]+\.googleapis\.com)+ sts\.googleapis\.com --project populus-test$/),
      "gcloud storage buckets create gs://populus-test-terraform-state --project populus-test --location europe-north1 --uniform-bucket-level-access --public-access-prevention",
      expect.stringMatching(/^gcloud storage buckets update gs:\/\/populus-test-terraform-state .*--versioning --public-access-prevention/),
      ...[
        "artifactregistry",
        "bigquery",
        "cloudbuild",
        "cloudscheduler",
        "cloudtasks",
        "containerscanning",
        "firestore",
        "logging",
        "pubsub",
        "run",
      ].map((service) => `gcloud beta services identity create --service=${service}.googleapis.com --project populus-test --quiet`),
      "gcloud storage service-agent --project populus-test",
      expect.stringMatching(
        /^gcloud builds submit --no-source --config \S+\/build\.json --project populus-test --region europe-north1 --quiet$/,
      ),
    ]);
    for (const call of calls.filter((one) => one.startsWith("gcloud services enable")))
      expect(call.split(" --project")[0]?.split(" ").length).toBeLessThanOrEqual(3 + 20);
  });

  const VALUES = '{"spec": {"rules": [{"values": {"allowedValues": ["C0abc"]}}]}}';
  const ENFORCED = '{"spec": {"rules": [{"enforce": true}]}}';
  it.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ["only its own domains", { "iam.allowedPolicyMemberDomains": VALUES }, 'keep endpoint_access = "NO_INVOKER_CHECK"'],
    ["no domains", { "iam.allowedPolicyMemberDomains": '{"spec": {"rules": [{"denyAll": true}]}}' }, "subscribers of their listings"],
    ["only its own members", { "iam.managed.allowedPolicyMembers": VALUES }, "iam.managed.allowedPolicyMembers is in force"],
    ["no service without a check", { "run.managed.requireInvokerIam": ENFORCED }, 'Set endpoint_access = "ALL_USERS"'],
    [
      "neither",
      { "iam.allowedPolicyMemberDomains": VALUES, "run.managed.requireInvokerIam": ENFORCED },
      "have populus-test exempted from one of them",
    ],
    ["some ingress", { "run.allowedIngress": VALUES }, "internal-and-cloud-load-balancing"],
    ["other regions", { "gcp.resourceLocations": VALUES.replace("C0abc", "in:us-locations") }, "does not name europe-north1"],
    ["this region", { "gcp.resourceLocations": VALUES.replace("C0abc", "in:europe-north1-locations") }, undefined],
    ["everything", { "iam.allowedPolicyMemberDomains": '{"spec": {"rules": [{"allowAll": true}]}}' }, undefined],
  ])("says what to do where the organisation allows %s, and continues", async (_what, policies, says) => {
    const rules = Object.entries(policies).map(([name, answer]) => ({
      call: `^gcloud org-policies describe ${name} --project populus-test --effective`,
      answer,
    }));
    const { exit, output } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: [...rules, ...EMPTY] });
    expect(exit).toBe(0);
    if (says === undefined) expect(output).not.toContain("WARNING: the organisation policy");
    else expect(output).toContain(says);
  });

  it("continues if organisation policies cannot be read", async () => {
    const rules = [{ call: "^gcloud org-policies", status: 1 }, ...EMPTY];
    const { exit, output } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules });
    expect([exit, output]).toEqual([0, expect.not.stringContaining("WARNING")]);
    expect(output).toContain("They cannot be read: populus-test is in no organisation");
  });

  it("says what to do if Cloud Build does not build in the region, and continues", async () => {
    const rules = [{ call: "^gcloud builds submit", status: 1 }, ...EMPTY];
    const { exit, output } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules });
    expect([exit, output]).toEqual([0, expect.stringContaining("WARNING: Cloud Build does not build in europe-north1")]);
  });

  it("keeps an existing bucket and updates its settings", async () => {
    const rules = [{ call: "^gcloud storage buckets list --project populus-test", answer: "populus-test-terraform-state\\n" }, ...EMPTY];
    const { exit, calls } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules });
    expect(exit).toBe(0);
    expect(calls.join("\n")).not.toContain("buckets create");
    expect(calls.join("\n")).toContain("buckets update gs://populus-test-terraform-state");
  });

  it("takes the bucket from the project's editors and viewers, and from nobody else", async () => {
    const policy = (...members: readonly string[]): Rule => ({
      call: "^gcloud storage buckets get-iam-policy gs://populus-test-terraform-state ",
      answer: members.map((member) => `roles/storage.${member}\\n`).join(""),
    });
    const owner = "legacyBucketOwner,projectOwner:populus-test";
    const planner = "objectViewer,serviceAccount:ci-plan@populus-test.iam.gserviceaccount.com";
    const editor = "legacyObjectOwner,projectEditor:populus-test";
    const viewer = "legacyObjectReader,projectViewer:populus-test";
    const removed = (calls: readonly string[]) => calls.filter((call) => call.includes("remove-iam-policy-binding"));
    const REMOVE = "gcloud storage buckets remove-iam-policy-binding gs://populus-test-terraform-state --project populus-test";
    const first = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: [policy(editor, owner, viewer, planner), ...EMPTY] });
    expect([first.exit, removed(first.calls)]).toEqual([
      0,
      [
        `${REMOVE} --role roles/storage.legacyObjectOwner --member projectEditor:populus-test`,
        `${REMOVE} --role roles/storage.legacyObjectReader --member projectViewer:populus-test`,
      ],
    ]);
    const again = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: [policy(owner, planner), ...EMPTY] });
    expect([again.exit, removed(again.calls)]).toEqual([0, []]);
    const refused = await sandbox.run("bootstrap", ["populus-test", "--yes"], {
      rules: [{ call: "remove-iam-policy-binding", status: 1 }, policy(editor), ...EMPTY],
    });
    expect([refused.exit, refused.output]).toEqual([1, expect.stringContaining("projectEditor:populus-test could not be removed")]);
  });

  it("writes the versions of the providers for the systems of operators and CI, unless they are there", async () => {
    const checkout = makeSandbox();
    const locks = (calls: readonly string[]) =>
      calls.filter((call) => call.startsWith("terraform ")).map((call) => call.split(" ").slice(1));
    const kept = await checkout.run("bootstrap", ["populus-test", "--yes"], { rules: EMPTY });
    expect([kept.output, locks(kept.calls)]).toEqual([
      expect.stringContaining("terraform/customers/.terraform.lock.hcl is whole already"),
      [],
    ]);
    // As an init on one system leaves it.
    const ofOneSystem = 'provider "registry.terraform.io/hashicorp/google" {\n  hashes = [\n    "h1:x=",\n    "zh:0",\n  ]\n}\n';
    writeFileSync(join(checkout.root, "terraform/environments/prod/.terraform.lock.hcl"), ofOneSystem);
    const written = await checkout.run("bootstrap", ["populus-test", "--yes"], { rules: EMPTY });
    expect([written.exit, written.output]).toEqual([
      0,
      expect.stringContaining("Wrote terraform/environments/prod/.terraform.lock.hcl: commit it"),
    ]);
    expect(locks(written.calls)).toEqual([
      [expect.stringMatching(/^-chdir=.*terraform\/environments\/prod$/), "init", "-backend=false", "-input=false"],
      [
        expect.stringMatching(/^-chdir=.*terraform\/environments\/prod$/),
        ...["providers", "lock", "-platform=linux_amd64", "-platform=linux_arm64", "-platform=darwin_amd64", "-platform=darwin_arm64"],
      ],
    ]);
    const unreached = await checkout.run("bootstrap", ["populus-test", "--yes"], { rules: [{ call: " init ", status: 1 }, ...EMPTY] });
    expect([unreached.exit, unreached.output]).toEqual([
      0,
      expect.stringContaining("WARNING: terraform/environments/prod/.terraform.lock.hcl"),
    ]);
    checkout.remove();
  });

  it("says which quotas are too small for the deployed functions", async () => {
    const endpoints = functions.filter(({ trigger }) => trigger === "http").length;
    const { output } = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: EMPTY });
    expect(output).toContain(
      `BACKEND_SERVICES: ${2 * endpoints} (two per endpoint), limit 9, in use 0: TOO FEW: request more before you deploy`,
    );
    expect(output).toContain(`Service accounts: ${2 * functions.length - endpoints + 3} and two per customer`);
    expect(output).toContain(`NETWORK_ENDPOINT_GROUPS in europe-north1: ${2 * endpoints} (two per endpoint), limit 200, in use 3: enough`);
    expect(output).toContain("URL_MAPS: 2 (hosts and paths, and the redirect to https), limit 10, in use 1: enough");
    expect(output).toContain(
      "SSL_CERTIFICATES: 4 (one per host, and one per host of the next release); not available here, check the page",
    );
  });

  it.each([
    ["", "nothing"],
    ["yes\n", "another word"],
  ])("changes nothing without the project's name typed (%j, %s)", async (typed) => {
    const { exit, output, calls } = await sandbox.run("bootstrap", ["populus-test"], { rules: EMPTY, typed });
    expect([exit, changes(calls), output]).toEqual([1, [], expect.stringContaining("Nothing was done")]);
  });

  it("continues once the project's name is typed", async () => {
    const { exit, output, calls } = await sandbox.run("bootstrap", ["populus-test"], { rules: EMPTY, typed: "populus-test\n" });
    expect([exit, changes(calls).length]).toEqual([0, 16]);
    expect(output.indexOf("this does the following, unless already done")).toBeLessThan(output.indexOf("Continue?"));
  });

  it.each<[string, readonly string[], readonly Rule[], string]>([
    ["no project is named", [], EMPTY, "Which project?"],
    ["the id is invalid", ["Populus", "--yes"], EMPTY, "Populus is not a project id"],
    [
      "there is no such project",
      ["populus-test", "--yes"],
      [{ call: "projects describe", status: 1 }],
      "There is no project populus-test, or you have no access",
    ],
    [
      "it has no billing",
      ["populus-test", "--yes"],
      [{ call: "^gcloud billing", answer: "False\\n" }, ...EMPTY],
      "populus-test has no billing: gcloud billing projects link populus-test --billing-account=ACCOUNT",
    ],
    [
      "gcloud has no beta commands",
      ["populus-test", "--yes"],
      [{ call: "^gcloud version", answer: "Google Cloud SDK 547.0.0\\n" }, ...EMPTY],
      "gcloud's beta commands are required: gcloud components install beta",
    ],
    [
      "Terraform is too old",
      ["populus-test", "--yes"],
      [{ call: "^terraform version", answer: '{"terraform_version": "1.9.8"}' }],
      "Terraform 1.11 or newer is required; this is 1.9",
    ],
  ])("changes nothing if %s", async (_when, args, rules, says) => {
    const { exit, output, calls } = await sandbox.run("bootstrap", args, { rules });
    expect([exit, changes(calls), output]).toEqual([1, [], expect.stringContaining(says)]);
  });

  it("stops if the APIs or the bucket cannot be created", async () => {
    const apis = await sandbox.run("bootstrap", ["populus-test", "--yes"], {
      rules: [{ call: "^gcloud services enable analyticshub.googleapis.com ", status: 1 }, ...EMPTY],
    });
    expect([apis.exit, apis.output]).toEqual([1, expect.stringContaining("The APIs could not be enabled")]);
    expect(apis.calls.join("\n")).not.toContain("buckets");
    const bucket = await sandbox.run("bootstrap", ["populus-test", "--yes"], { rules: [{ call: "buckets create", status: 1 }, ...EMPTY] });
    expect([bucket.exit, bucket.output]).toEqual([1, expect.stringContaining("could not be created. If the name is taken")]);
    expect(bucket.calls.join("\n")).not.toContain("identity create");
  });
});
