import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraform } from "../../../../scripts/terraform/provider/terraform.ts";
import { startProviders } from "./built-providers.ts";
import { initialize, prepareEnvironment } from "./prepared-environment.ts";
import { startStandIn } from "./stand-in/server.ts";
import { changesOf, plannedChanges } from "./terraform-lines.ts";

const SECONDS_MAX = 1800;
const PROJECTS = ["populus-dev", "populus-dev-delivery"] as const;
/** What an operator has made before the first deployment. */
const BEFORE = {
  "storage.googleapis.com/b/populus-dev-terraform-state": { project: "populus-dev", location: "europe-north1" },
  "secretmanager.googleapis.com/projects/populus-dev/secrets/probe-key": {},
  "dns.googleapis.com/projects/populus-dev/managedZones/example-com": { name: "example-com", dnsName: "example.com." },
} as const;

/**
 * Applies the `dev` environment to the stand-in for Google, as its first deployment does, and plans it again. Returns how many resources were created.
 * Throws an Error with all that Terraform, its provider or the stand-in complain of, or with what the second plan still changes.
 * @param project the project's folder
 */
export async function applyEnvironment(project: string): Promise<number> {
  const google = await startStandIn({ projects: PROJECTS, resources: BEFORE });
  const { root, folder, remove } = prepareEnvironment(project, "dev");
  const run = async (args: readonly string[], isFirst = false) => {
    // A provider that Terraform attaches to is configured once.
    const running = await startProviders(google.environment, folder);
    try {
      if (isFirst) await initialize(folder, running.environment);
      return await terraform(
        folder,
        [...args, "-input=false", "-json", "-lock=false", "-parallelism=20"],
        running.environment,
        SECONDS_MAX,
      );
    } finally {
      running.close();
    }
  };
  try {
    shortenWaits(join(root, "terraform"));
    const created = changesOf(await run(["apply", "-auto-approve"], true));
    const second = await run(["plan"]);
    const left = changesOf(second);
    if (left.add + left.change + left.remove > 0)
      throw new Error(`What was applied is still to change:\n${plannedChanges(second.stdout).join("\n")}`);
    return created.add;
  } finally {
    remove();
    await google.close();
  }
}

/** Google needs time to learn of accounts and metrics; the stand-in needs none. */
function shortenWaits(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".tf"))) {
    const file = join(folder, name);
    const content = readFileSync(file, "utf8");
    writeFileSync(file, content.replaceAll(/(create_duration *= *)"\d+s"/g, '$1"1s"'));
  }
}
