import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPTS = fileURLToPath(new URL("../..", import.meta.url));
/** Notes how it was called, and answers as the first rule says whose pattern matches that; without one, nothing and success. */
const RECORDER = `#!/usr/bin/env bash
call="$(basename "$0") $*"
echo "$call" >>"$RECORDED"
while IFS=$'\\t' read -r status pattern answer; do
  [[ $call =~ $pattern ]] && { printf '%b' "$answer"; exit "$status"; }
done <"$RULES"
exit 0
`;

/** What a program on the path answers to calls that match the pattern (a regular expression of bash): standard output, and its exit status. */
export interface Rule {
  readonly call: string;
  readonly answer?: string;
  readonly status?: number;
}

/** How a script ended. `calls` are those of programs that are stood in for, in their order. */
export interface Ended {
  readonly exit: number | null;
  readonly output: string;
  readonly calls: readonly string[];
}

interface Run {
  readonly rules?: readonly Rule[];
  /** What is typed. */
  readonly typed?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const TERRAFORM: Rule = { call: "^terraform version", answer: '{\\n  "terraform_version": "1.11.4"\\n}\\n' };

/**
 * A checkout with the scripts that speak to Google Cloud and nothing else, and a folder of programs that come first on their path: gcloud, terraform
 * and npm, and git unless it is to be the real one, are programs that note how they are called and answer by rules.
 */
export function makeSandbox({ realGit = false }: { readonly realGit?: boolean } = {}) {
  const root = mkdtempSync(join(tmpdir(), "populus-deploy-"));
  const bin = join(root, "bin");
  for (const folder of [
    bin,
    join(root, "node_modules/.bin"),
    join(root, "scripts/cloud"),
    join(root, "infra/generated"),
    join(root, "terraform/environments/dev"),
  ])
    mkdirSync(folder, { recursive: true });
  for (const name of ["bootstrap", "deploy", "setup.sh", "cloud/ask.sh"]) cpSync(join(SCRIPTS, name), join(root, "scripts", name));
  symlinkSync(join(SCRIPTS, "smoke.ts"), join(root, "scripts/smoke.ts"));
  cpSync(join(SCRIPTS, "../infra/generated/functions.json"), join(root, "infra/generated/functions.json"));
  // As `scripts/setup.sh` leaves a checkout whose packages are installed.
  writeFileSync(join(root, "package-lock.json"), "{}\n");
  writeFileSync(join(root, "node_modules/.populus-lock"), `${createHash("sha256").update("{}\n").digest("hex")}\n`);
  writeFileSync(join(root, "terraform/environments/dev/terraform.tfvars"), 'project_id   = "populus-test"\n');
  for (const folder of [bin, join(root, "node_modules/.bin")]) symlinkSync(process.execPath, join(folder, "node"));
  for (const name of ["gcloud", "terraform", "npm", ...(realGit ? [] : ["git"])]) {
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
    const lines = [...rules, TERRAFORM].map(({ call, answer = "", status = 0 }) => `${status}\t${call}\t${answer}\n`);
    writeFileSync(RULES, lines.join(""));
    const env = { HOME: root, PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, RECORDED, RULES, SMOKE_PATIENCE: "0", ...environment };
    const child = spawn(join(root, "scripts", script), args, { cwd: root, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    // A script that ends before it has read what is typed leaves a closed pipe behind.
    child.stdin.on("error", () => undefined);
    child.stdin.end(typed);
    const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const calls = readFileSync(RECORDED, "utf8").split("\n").slice(0, -1);
    return { exit, output, calls: calls.filter((call) => call !== "terraform version -json") };
  };
  return { root, bin, run, remove: () => rmSync(root, { recursive: true, force: true }) };
}
