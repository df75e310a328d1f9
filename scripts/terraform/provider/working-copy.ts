import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** A copy of the project's Terraform, in which Terraform may leave what it leaves: lock files, the list of modules. */
export interface WorkingCopy {
  /** The folder that has `terraform`. */
  readonly root: string;
  remove(): void;
}

/** What an operator's own work leaves in a folder of Terraform. */
const LEFT_OUT: ReadonlySet<string> = new Set([".terraform", "terraform.tfvars", ".terraform.lock.hcl"]);

/** Copies the project's Terraform, with the generated files that it reads. */
export function copyTerraform(project: string): WorkingCopy {
  const root = mkdtempSync(join(tmpdir(), "populus-terraform-"));
  cpSync(join(project, "terraform"), join(root, "terraform"), { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  symlinkSync(join(project, "infra"), join(root, "infra"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Returns the folders of a project's Terraform with files of it, and whether each has tests. Tests' own modules are left out. */
export function terraformFolders(root: string): { readonly folder: string; readonly hasTests: boolean }[] {
  const folders = [
    "customers",
    ...["environments", "modules"].flatMap((parent) => readdirSync(join(root, "terraform", parent)).map((name) => join(parent, name))),
  ];
  return folders
    .map((name) => join("terraform", name))
    .filter((folder) => existsSync(join(root, folder, "versions.tf")) || existsSync(join(root, folder, "main.tf")))
    .map((folder) => ({ folder, hasTests: existsSync(join(root, folder, "tests")) }));
}
