import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraform } from "../../../../scripts/terraform/provider/terraform.ts";
import { copyTerraform } from "../../../../scripts/terraform/provider/working-copy.ts";

/** An environment of the project that is there. */
export type EnvironmentName = "dev" | "prod";

/** A copy of the project's Terraform, in which an environment is ready for `terraform init`: with settings, and its state in a file. */
export interface PreparedEnvironment {
  /** The folder of the whole copy. */
  readonly root: string;
  /** The environment's folder. */
  readonly folder: string;
  remove(): void;
}

/** Returns settings that have most of an environment planned. */
export function variablesOf(environment: EnvironmentName): object {
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
 * Copies the project's Terraform and prepares an environment.
 * @param project the project's folder
 */
export function prepareEnvironment(project: string, environment: EnvironmentName): PreparedEnvironment {
  const copy = copyTerraform(project);
  const folder = join(copy.root, "terraform/environments", environment);
  // What `npm run bundle` makes of the console; its content is nothing that a provider judges.
  const files = join(copy.root, "dist/console");
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, "index.html"), "<!doctype html>");
  writeFileSync(
    join(files, "files.json"),
    JSON.stringify([{ name: "index.html", type: "text/html; charset=utf-8", cacheControl: "no-cache" }]),
  );
  keepStateInFile(folder);
  giveVariables(folder, variablesOf(environment));
  return { root: copy.root, folder, remove: () => copy.remove() };
}

/** Has a root keep its state in a file of its folder. */
export function keepStateInFile(folder: string): void {
  writeFileSync(join(folder, "backend_override.tf"), 'terraform {\n  backend "local" {}\n}\n');
}

/** Gives a root's variables their values, in the place of those that they had before. */
export function giveVariables(folder: string, values: object): void {
  writeFileSync(join(folder, "given.auto.tfvars.json"), JSON.stringify(values));
}

/** Has Terraform load an environment's modules. Throws an Error if it cannot. */
export async function initialize(folder: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const { exitCode, stdout, stderr } = await terraform(folder, ["init", "-input=false", "-no-color"], variables);
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
}
