import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { terraform } from "../../../../scripts/terraform/provider/terraform.ts";
import { copyTerraform } from "../../../../scripts/terraform/provider/working-copy.ts";
import { jsonLines } from "../../../../scripts/terraform/terraform-binary.ts";

const Diagnostic = v.object({
  diagnostic: v.object({
    severity: v.string(),
    summary: v.string(),
    detail: v.optional(v.string(), ""),
    address: v.optional(v.string(), ""),
  }),
});
const Summary = v.object({
  type: v.literal("change_summary"),
  changes: v.object({ add: v.number(), change: v.number(), remove: v.number() }),
});

/** Settings that have most of an environment planned. */
function variablesOf(environment: string): object {
  return {
    project_id: `populus-${environment}`,
    delivery_project: `populus-${environment}-delivery`,
    commit: "0123456789abcdef0123456789abcdef01234567",
    image: `europe-north1-docker.pkg.dev/populus-${environment}/functions/functions@sha256:${"0".repeat(64)}`,
    hosts: { users: "users.example.com", data: "data.example.com" },
    candidate_hosts: { users: "users-candidate.example.com", data: "data-candidate.example.com" },
    alert_emails: ["populus-alerts@example.com"],
    loaders: ["user:loader@example.com"],
    uploaders: ["user:uploader@example.com"],
    arrival_hour: 6,
    dns_zone: { name: "example-com" },
    budget: { amount: 300, billing_account: "000000-000000-000000" },
    ci: { repository: "example/populus", repository_id: "4711" },
    probe: { regions: ["europe-west1", "us-east1"] },
    console_base_map: { kind: "pmtiles", url: "https://tiles.example.com/europe.pmtiles" },
  };
}

/**
 * Plans an environment of the project into an empty state, as its first deployment does. Returns how many resources are created. Throws an Error with
 * all that the provider or Terraform complain of, warnings too.
 * @param project the project's folder
 */
export async function planEnvironment(
  project: string,
  environment: "dev" | "prod",
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const copy = copyTerraform(project);
  const folder = join(copy.root, "terraform/environments", environment);
  try {
    // What `npm run bundle` makes of the console; its content is nothing that a provider judges.
    const files = join(copy.root, "dist/console");
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, "index.html"), "<!doctype html>");
    writeFileSync(
      join(files, "files.json"),
      JSON.stringify([{ name: "index.html", type: "text/html; charset=utf-8", cacheControl: "no-cache" }]),
    );
    writeFileSync(join(folder, "backend_override.tf"), 'terraform {\n  backend "local" {}\n}\n');
    writeFileSync(join(folder, "given.auto.tfvars.json"), JSON.stringify(variablesOf(environment)));
    const ready = await terraform(folder, ["init", "-input=false", "-no-color"], variables);
    if (ready.exitCode !== 0) throw new Error(`${ready.stdout}${ready.stderr}`);
    const { stdout, stderr } = await terraform(folder, ["plan", "-input=false", "-json", "-lock=false"], variables);
    const lines = jsonLines(stdout);
    const faults = lines.flatMap((line) => (v.is(Diagnostic, line) ? [line.diagnostic] : []));
    const [changes] = lines.flatMap((line) => (v.is(Summary, line) ? [line.changes] : []));
    if (faults.length > 0) throw new Error(faults.map(({ address, summary, detail }) => `${address}: ${summary} ${detail}`).join("\n"));
    if (!changes) throw new Error(`The plan has no summary: ${stderr}`);
    if (changes.change + changes.remove > 0) throw new Error(`An empty state was changed: ${JSON.stringify(changes)}`);
    return changes.add;
  } finally {
    copy.remove();
  }
}
