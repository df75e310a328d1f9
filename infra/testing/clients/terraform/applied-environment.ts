import { join } from "node:path";
import { applyCustomers } from "./applied-customers.ts";
import { AppliedFolder, shortenWaits } from "./applied-folder.ts";
import { giveVariables, prepareEnvironment, variablesOf } from "./prepared-environment.ts";
import { startStandIn } from "./stand-in/server.ts";

const PROJECTS = { data: "populus-dev", delivery: "populus-dev-delivery" } as const;
/** What an operator has made before the first deployment. */
const BEFORE = {
  "storage.googleapis.com/b/populus-dev-terraform-state": { project: "populus-dev", location: "europe-north1" },
  "secretmanager.googleapis.com/projects/populus-dev/secrets/probe-key": {},
  "dns.googleapis.com/projects/populus-dev/managedZones/example-com": { name: "example-com", dnsName: "example.com." },
} as const;
/** What the next release changes. */
const NEXT = {
  commit: "fedcba9876543210fedcba9876543210fedcba98",
  image: `europe-north1-docker.pkg.dev/${PROJECTS.data}/functions/functions@sha256:${"1".repeat(64)}`,
} as const;
const RUNNING = /^update \S*\.google_cloud_run_v2_(service|job)\./;

/**
 * Applies the `dev` environment to the stand-in for Google, as its first deployment does, then the next release, which may change only what runs, and
 * then customers, who come and go. Returns how many resources the environment has. Throws an Error with all that Terraform, its provider or the stand-in
 * complain of, or with what a second plan still changes.
 * @param project the project's folder
 */
export async function applyEnvironment(project: string): Promise<number> {
  const google = await startStandIn({ projects: Object.values(PROJECTS), resources: BEFORE });
  const { root, folder, remove } = prepareEnvironment(project, "dev");
  try {
    shortenWaits(join(root, "terraform"));
    const environment = new AppliedFolder(google, folder);
    const changes = await environment.apply();
    giveVariables(folder, { ...variablesOf("dev"), ...NEXT });
    const released = await environment.apply();
    const others = released.filter((change) => !RUNNING.test(change));
    if (released.length === 0 || others.length > 0) throw new Error(`A release of ${released.length} changes:\n${others.join("\n")}`);
    await applyCustomers(google, join(root, "terraform/customers"), PROJECTS);
    return changes.length;
  } finally {
    remove();
    await google.close();
  }
}
