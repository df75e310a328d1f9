import { existsSync } from "node:fs";
import { join } from "node:path";
import { keptSchemas } from "../../../infra/testing/terraform/kept-schemas.ts";
import { serveSchemas } from "../../../infra/testing/terraform/schema-server.ts";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { terraform } from "./terraform.ts";

/** Google's provider for Terraform, or what stands for it. */
export interface FoundProvider {
  /** Which one it is, for people. */
  readonly title: string;
  /** Variables and arguments with which `terraform init` finds it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly initArguments: readonly string[];
  close(): void;
}

/**
 * Every address of a registry is refused at once: only what this machine has is found. A cache of plugins is read as a folder of plugins, and Terraform
 * refuses to copy one into itself.
 */
const OFFLINE = {
  TF_PLUGIN_CACHE_DIR: "",
  HTTPS_PROXY: "http://127.0.0.1:9",
  TF_REGISTRY_DISCOVERY_RETRY: "0",
  TF_REGISTRY_CLIENT_TIMEOUT: "1",
};
/** It uses every provider of the project. */
const FOLDER = "terraform/customers";

/**
 * Finds Google's provider as Terraform finds it without the network (its folders of plugins, the mirror that TF_CLI_CONFIG_FILE names, TF_PLUGIN_CACHE_DIR).
 * Otherwise returns a server of its schema, which is fetched once. Returns why there is neither.
 * @param root a copy of the project's Terraform
 */
export async function findProvider(root: string): Promise<FoundProvider | { readonly missing: string }> {
  const cache = process.env.TF_PLUGIN_CACHE_DIR;
  const ways: readonly (readonly string[])[] = [[], ...(cache !== undefined && existsSync(cache) ? [[`-plugin-dir=${cache}`]] : [])];
  for (const initArguments of ways) {
    const { exitCode } = await terraform(join(root, FOLDER), ["init", "-backend=false", "-input=false", ...initArguments], OFFLINE);
    if (exitCode === 0) return { title: "Google's provider of this machine", environment: OFFLINE, initArguments, close: () => undefined };
  }
  try {
    const schemas = await keptSchemas();
    const { environment, close } = await serveSchemas(schemas);
    return { title: `the schema of Google's provider ${schemas["hashicorp/google"]?.version}`, environment, initArguments: [], close };
  } catch (error) {
    const why = messageOf(error).trimStart().split("\n")[0];
    return { missing: `Google's provider is not on this machine, and its schema cannot be had: ${why}` };
  }
}
