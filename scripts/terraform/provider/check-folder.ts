import { join } from "node:path";
import { jsonLines, testCounts } from "../terraform-binary.ts";
import { checkEnvironment } from "./environment-rules.ts";
import type { FoundProvider } from "./find-provider.ts";
import { plannedResources } from "./planned-resources.ts";
import { terraform } from "./terraform.ts";

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

/** Validates a folder with a provider, and runs its tests if it has any. A test, a validation and a rule of environments count one each. */
export async function checkFolder(
  root: string,
  { folder, hasTests }: { folder: string; hasTests: boolean },
  provider: FoundProvider,
): Promise<FolderResult> {
  const place = join(root, folder);
  const environment = { ...provider.environment, ...(folder === "terraform/customers" ? WORKSPACE : {}) };
  const run = (args: readonly string[]) => terraform(place, args, environment);
  const init = await run(["init", "-backend=false", "-input=false", "-no-color", ...provider.initArguments]);
  const ready = init.exitCode === 0 ? await run(["validate", "-no-color"]) : init;
  if (ready.exitCode !== 0) return { folder, passed: 0, failed: 1, faults: [`${ready.stdout}${ready.stderr}`.trim()], planned: undefined };
  if (!hasTests) return { folder, passed: 1, failed: 0, faults: [], planned: undefined };
  const isEnvironment = folder.startsWith("terraform/environments/");
  const { stdout, stderr } = await run(["test", "-json", ...(isEnvironment ? ["-verbose"] : [])]);
  const { passed, failed, faults } = testCounts(folder, stdout, stderr);
  const [plan] = isEnvironment ? plannedResources(jsonLines(stdout)).values() : [];
  const rules = plan ? checkEnvironment(plan, folder.endsWith("/prod")) : [];
  const broken = rules.filter((rule) => rule.broken.length > 0);
  return {
    folder,
    passed: 1 + passed + rules.length - broken.length,
    failed: failed + broken.length,
    faults: [...faults, ...broken.map(({ says, broken: addresses }) => `${says}, but: ${addresses.join(", ")}`)],
    planned: plan?.length,
  };
}
