import { join } from "node:path";
import { jsonLines, testCounts } from "../terraform-binary.ts";
import { checkEnvironment } from "./environment-rules.ts";
import type { FoundProvider } from "./find-provider.ts";
import { plannedResources } from "./planned-resources.ts";
import { type TerraformRun, terraform } from "./terraform.ts";

/** What Terraform says of a folder. */
export interface FolderResult {
  readonly folder: string;
  readonly passed: number;
  readonly failed: number;
  /** What is wrong, a line each or more. */
  readonly faults: readonly string[];
  /** How many resources the first plan of an environment has; undefined for other folders. */
  readonly planned: number | undefined;
}

/** The workspace of terraform/customers in which its tests run: it names the environment. */
const WORKSPACE = { TF_WORKSPACE: "dev" };

/**
 * Runs the tests of a folder with a provider: each validates the whole folder first. A folder without tests is validated alone. A test, a validation and
 * a rule of environments count one each.
 */
export async function checkFolder(
  root: string,
  { folder, hasTests }: { readonly folder: string; readonly hasTests: boolean },
  provider: FoundProvider,
): Promise<FolderResult> {
  const environment = { ...provider.environment, ...(folder === "terraform/customers" ? WORKSPACE : {}) };
  const run = (...args: readonly string[]) => terraform(join(root, folder), args, environment);
  const ready = await run("init", "-backend=false", "-input=false", "-no-color", ...provider.initArguments);
  if (ready.exitCode !== 0) return counted(folder, ready);
  if (!hasTests) return counted(folder, await run("validate", "-no-color"));
  const isEnvironment = folder.startsWith("terraform/environments/");
  const { stdout, stderr } = await run("test", "-json", ...(isEnvironment ? ["-verbose"] : []));
  const { passed, failed, faults } = testCounts(folder, stdout, stderr);
  const [plan] = isEnvironment ? plannedResources(jsonLines(stdout)).values() : [];
  const rules = plan ? checkEnvironment(plan, folder.endsWith("/prod")) : [];
  const broken = rules.filter((rule) => rule.broken.length > 0);
  return {
    folder,
    passed: passed + rules.length - broken.length,
    failed: failed + broken.length,
    faults: [...faults, ...broken.map(({ says, broken: addresses }) => `${says}, but: ${addresses.join(", ")}`)],
    planned: plan?.length,
  };
}

function counted(folder: string, { exitCode, stdout, stderr }: TerraformRun): FolderResult {
  const succeeded = exitCode === 0;
  const faults = succeeded ? [] : [`${stdout}${stderr}`.trim()];
  return { folder, passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, faults, planned: undefined };
}
