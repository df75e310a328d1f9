import { terraform } from "../../../../scripts/terraform/provider/terraform.ts";
import { type EnvironmentName, initialize, prepareEnvironment } from "./prepared-environment.ts";
import { changesOf } from "./terraform-lines.ts";

/**
 * Plans an environment of the project into an empty state, as its first deployment does. Returns how many resources are created. Throws an Error with
 * all that the provider or Terraform complain of, warnings too.
 * @param project the project's folder
 */
export async function planEnvironment(
  project: string,
  environment: EnvironmentName,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const { folder, remove } = prepareEnvironment(project, environment);
  try {
    await initialize(folder, variables);
    const changes = changesOf(await terraform(folder, ["plan", "-input=false", "-json", "-lock=false"], variables));
    if (changes.change + changes.remove > 0) throw new Error(`An empty state was changed: ${JSON.stringify(changes)}`);
    return changes.add;
  } finally {
    remove();
  }
}
