import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { terraform } from "../../../../scripts/terraform/provider/terraform.ts";
import { startProviders } from "./built-providers.ts";
import { initialize } from "./prepared-environment.ts";
import type { StandIn } from "./stand-in/server.ts";
import { changesOf, plannedChanges } from "./terraform-lines.ts";

const SECONDS_MAX = 1800;

/** A root of Terraform, in a copy of the project's, that is applied to the stand-in for Google. */
export class AppliedFolder {
  readonly #google: StandIn;
  readonly #folder: string;
  readonly #variables: Readonly<Record<string, string>>;
  #isInitialized = false;

  /** @param variables variables of Terraform's process */
  constructor(google: StandIn, folder: string, variables: Readonly<Record<string, string>> = {}) {
    this.#google = google;
    this.#folder = folder;
    this.#variables = variables;
  }

  /**
   * Applies the root and plans it again. Returns the addresses that the apply changed, one `action address` a line. Throws an Error with all that
   * Terraform, its provider or the stand-in complain of, or with what the second plan still changes.
   */
  async apply(): Promise<string[]> {
    const applied = await this.#run(["apply", "-auto-approve"]);
    changesOf(applied);
    const second = await this.#run(["plan"]);
    const { add, change, remove } = changesOf(second);
    if (add + change + remove > 0) throw new Error(`What was applied is still to change:\n${plannedChanges(second.stdout).join("\n")}`);
    return plannedChanges(applied.stdout);
  }

  async #run(args: readonly string[]) {
    // A provider that Terraform attaches to is configured once.
    const running = await startProviders(this.#google.environment, this.#folder);
    const variables = { ...running.environment, ...this.#variables };
    try {
      if (!this.#isInitialized) await initialize(this.#folder, variables);
      this.#isInitialized = true;
      return await terraform(this.#folder, [...args, "-input=false", "-json", "-lock=false", "-parallelism=20"], variables, SECONDS_MAX);
    } finally {
      running.close();
    }
  }
}

/** Shortens the waits of all folders below one: Google needs time to learn of accounts and metrics, the stand-in none. */
export function shortenWaits(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".tf"))) {
    const file = join(folder, name);
    const content = readFileSync(file, "utf8");
    writeFileSync(file, content.replaceAll(/(create_duration *= *)"\d+s"/g, '$1"1s"'));
  }
}
