import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTS = fileURLToPath(new URL("../..", import.meta.url));
/** A fake program: records its call and answers by the first rule whose pattern matches. Without a match it prints nothing and succeeds. */
const RECORDER = `#!/usr/bin/env bash
call="$(basename "$0") $*"
echo "$call" >>"$RECORDED"
while IFS=$'\\t' read -r status pattern answer; do
  [[ $call =~ $pattern ]] && { printf '%b' "$answer"; exit "$status"; }
done <"$RULES"
exit 0
`;

/** A fake program's answer to calls that match the pattern (a bash regular expression): standard output and exit status. */
export interface Rule {
  readonly call: string;
  readonly answer?: string;
  readonly status?: number;
}

/** The outcome of a script. `calls` are those of the fake programs, in order. */
export interface Ended {
  readonly exit: number | null;
  readonly output: string;
  readonly calls: readonly string[];
}

interface Run {
  readonly rules?: readonly Rule[];
  /** The text typed on standard input. */
  readonly typed?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The tag of the image that `npm run bundle` has written. */
export const IMAGE_TAG = "b".repeat(64);

/** The image of that tag in the registry of `dev`, and the commit of the checkout. */
export const IMAGE = "europe-north1-docker.pkg.dev/populus-test/functions/functions";
export const DIGEST = `sha256:${"c".repeat(64)}`;
export const COMMIT = "d".repeat(40);

const DEPLOYMENT = {
  image: IMAGE,
  service_account: "projects/populus-test/serviceAccounts/b",
  sources: "gs://populus-test-function-sources/image",
};
const SCANNED = { discovery_summary: { discovery: [{ discovered: { analysisStatus: "FINISHED_SUCCESS" } }] } };

/** Answers of an environment whose image is built and scanned. */
export const BUILT: readonly Rule[] = [
  { call: "output -json deployment", answer: JSON.stringify(DEPLOYMENT) },
  { call: "images describe .* --show-package-vulnerability", answer: JSON.stringify(SCANNED) },
  { call: `images describe ${IMAGE}:`, answer: `${DIGEST}\\n` },
  { call: "^git rev-parse HEAD", answer: `${COMMIT}\\n` },
];

/** The roots of Terraform. */
const ROOTS = ["terraform/environments/dev", "terraform/environments/prod", "terraform/customers"];

/** The parts of scripts/deploy. */
const SOURCED = ["ask", "image", "lock", "release"].map((name) => `cloud/${name}.sh`);

/** A plan that changes nothing. */
const PLAN: Rule = { call: "^terraform .* show -json", answer: '{"format_version": "1.2"}' };
const TERRAFORM: Rule = { call: "^terraform version", answer: '{\\n  "terraform_version": "1.11.4"\\n}\\n' };

/**
 * Creates a checkout with only the scripts that use Google Cloud, and a folder of fake programs first on their PATH: gcloud, gcrane,
 * terraform, npm and, unless `realGit`, git.
 */
export function makeSandbox({ realGit = false }: { readonly realGit?: boolean } = {}) {
  const root = mkdtempSync(join(tmpdir(), "populus-deploy-"));
  const bin = join(root, "bin");
  for (const folder of [
    bin,
    join(root, "node_modules/.bin"),
    join(root, "scripts/cloud"),
    join(root, "dist"),
    join(root, "infra/generated"),
    ...ROOTS.map((name) => join(root, name)),
  ])
    mkdirSync(folder, { recursive: true });
  for (const name of ROOTS) writeFileSync(join(root, name, ".terraform.lock.hcl"), "# locked\n");
  for (const name of ["bootstrap", "deploy", "setup.sh", ...SOURCED]) cpSync(join(SCRIPTS, name), join(root, "scripts", name));
  for (const name of ["smoke.ts", ...["check-plan", "check-scan", "summarize-plan", "traffic"].map((name) => `cloud/${name}.ts`)])
    symlinkSync(join(SCRIPTS, name), join(root, "scripts", name));
  cpSync(join(SCRIPTS, "../infra/generated/functions.json"), join(root, "infra/generated/functions.json"));
  // The state after `scripts/setup.sh` has installed the packages.
  writeFileSync(join(root, "package-lock.json"), "{}\n");
  writeFileSync(join(root, "node_modules/.populus-lock"), `${createHash("sha256").update("{}\n").digest("hex")}\n`);
  writeFileSync(join(root, "terraform/environments/dev/terraform.tfvars"), 'project_id   = "populus-test"\n');
  writeFileSync(join(root, "dist/manifest.json"), `${JSON.stringify({ image: IMAGE_TAG, functions: [] }, undefined, 2)}\n`);
  for (const folder of [bin, join(root, "node_modules/.bin")]) symlinkSync(process.execPath, join(folder, "node"));
  for (const name of ["gcloud", "gcrane", "terraform", "npm", ...(realGit ? [] : ["git"])]) {
    writeFileSync(join(bin, name), RECORDER);
    chmodSync(join(bin, name), 0o755);
  }

  const run = async (
    script: "bootstrap" | "deploy",
    args: readonly string[],
    { rules = [], typed = "", environment = {} }: Run = {},
  ): Promise<Ended> => {
    const [RECORDED, RULES] = [join(root, "recorded"), join(root, "rules")];
    writeFileSync(RECORDED, "");
    const lines = [...rules, TERRAFORM, PLAN].map(({ call, answer = "", status = 0 }) => `${status}\t${call}\t${answer}\n`);
    writeFileSync(RULES, lines.join(""));
    const env = {
      HOME: root,
      PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
      RECORDED,
      RULES,
      SMOKE_PATIENCE: "0",
      SOAK_SECONDS: "0",
      SCAN_PATIENCE: "0",
      SETTLE_SECONDS: "0",
      ...environment,
    };
    const child = spawn(join(root, "scripts", script), args, { cwd: root, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    // A script that exits before it reads its input closes the pipe.
    child.stdin.on("error", () => undefined);
    child.stdin.end(typed);
    const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const calls = readFileSync(RECORDED, "utf8").split("\n").slice(0, -1);
    return { exit, output, calls: calls.filter((call) => call !== "terraform version -json") };
  };
  return { root, bin, run, remove: () => rmSync(root, { recursive: true, force: true }) };
}
