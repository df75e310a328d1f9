import { fileURLToPath } from "node:url";
import { checkFolders } from "../../../../scripts/terraform/provider/check-folders.ts";
import { summaryOf } from "../../../../scripts/terraform/provider/report.ts";
import type { Client } from "../client.ts";
import { applyEnvironment } from "./applied-environment.ts";
import { providers, startProviders } from "./built-providers.ts";
import { planEnvironment } from "./planned-environment.ts";
import { startStandIn } from "./stand-in/server.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** An environment has more: functions with their accounts and policies, tables, routes. What is fewer was not planned. */
const RESOURCES_MIN = 500;

/** Runs the tests of every folder of Terraform with the providers themselves. */
async function moduleTests(): Promise<void> {
  const running = await startProviders();
  try {
    const provider = { title: "Google's own provider", environment: running.environment, initArguments: [], close: () => undefined };
    const run = await checkFolders(
      ROOT,
      () => true,
      undefined,
      async () => provider,
    );
    const { passed, failed, lines } = summaryOf(run);
    const faults = "missing" in run ? [] : run.results.flatMap((result) => result.faults);
    if (failed > 0 || passed === 0) throw new Error([...lines, ...faults].join("\n"));
  } finally {
    running.close();
  }
}

/** Plans both environments with the providers themselves: what they refuse is an error. */
async function wholeEnvironments(): Promise<void> {
  const environments = ["dev", "prod"] as const;
  const projects = environments.flatMap((name) => [`populus-${name}`, `populus-${name}-delivery`]);
  const google = await startStandIn({ projects, resources: {} });
  try {
    for (const environment of environments) {
      // Each plan configures its provider with its own project.
      const running = await startProviders(google.environment);
      const planned = await planEnvironment(ROOT, environment, running.environment).finally(() => running.close());
      if (planned < RESOURCES_MIN) throw new Error(`Only ${planned} resources of ${environment} are planned`);
    }
  } finally {
    await google.close();
  }
}

/** Applies an environment, a release and customers to a stand-in for Google: what one of its resources names must be there when it is made. */
async function appliedEnvironment(): Promise<void> {
  const created = await applyEnvironment(ROOT);
  if (created < RESOURCES_MIN) throw new Error(`Only ${created} resources were made`);
}

/** Google's own provider of Terraform, which Go builds from its published module. Terraform's tests here know its schema alone. */
export const terraformProvider: Client = {
  name: "terraform",
  tool: providers,
  checks: [
    { name: "the tests of all modules", quick: false, run: moduleTests },
    { name: "whole environments are planned", quick: false, run: wholeEnvironments },
    {
      name: "an environment is applied, a release and customers too, and nothing is left to change",
      quick: false,
      run: appliedEnvironment,
    },
  ],
};
