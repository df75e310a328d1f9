import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { hasTerraform } from "../../../../scripts/terraform/terraform-binary.ts";
import type { Tool } from "../client.ts";
import { goPrograms } from "../tools/go-programs.ts";
import { clientEnvironment } from "../tools/run-program.ts";

/** The largest of Go's modules: on two processors its first build takes ten minutes. */
const BUILD = { packages: "tool", environment: { CGO_ENABLED: "0" }, secondsMax: 3600 };
const google = goPrograms(new URL("./google/", import.meta.url), BUILD);
const time = goPrograms(new URL("./time/", import.meta.url), BUILD);

const PROGRAMS = [
  [google, "terraform-provider-google"],
  [time, "terraform-provider-time"],
] as const;
const Attached = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** Terraform, and the providers of this project as Go builds them from their published modules. */
export const providers: Tool = {
  find: async () => {
    if (!hasTerraform()) return { found: false, missing: "terraform is not installed" };
    for (const program of [google, time]) {
      const found = await program.find();
      if (!found.found) return found;
    }
    return { found: true };
  },
};

/** Providers that run, and the variables by which Terraform finds them. */
export interface RunningProviders {
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * Starts the providers as their authors debug them: Terraform attaches to them, whatever versions a configuration asks for
 * (https://developer.hashicorp.com/terraform/plugin/debugging).
 * @param environment variables of the providers: credentials, addresses
 * @param folder where they run: paths of files in a configuration are relative to it when it is applied
 */
export async function startProviders(
  environment: Readonly<Record<string, string>> = {},
  folder = process.cwd(),
): Promise<RunningProviders> {
  const children: ChildProcess[] = [];
  const close = (): void => {
    for (const child of children) child.kill("SIGKILL");
  };
  try {
    const attached: Record<string, unknown> = {};
    for (const [module, name] of PROGRAMS) {
      const child = spawn(await module.program(name), ["-debug"], {
        cwd: folder,
        env: { ...clientEnvironment(), ...environment },
        stdio: ["ignore", "pipe", "ignore"],
      });
      children.push(child);
      Object.assign(attached, v.parse(Attached, await attachment(child, name)));
    }
    return { environment: { TF_REATTACH_PROVIDERS: JSON.stringify(attached) }, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns what a provider says of where it listens. Throws an Error if it ends instead. */
async function attachment(child: ChildProcess, name: string): Promise<string> {
  const { stdout } = child;
  if (!stdout) throw new Error(`${name} has no output`);
  const said = new Promise<string>((resolve) => {
    createInterface(stdout).on("line", (line) => {
      const [, attached] = /TF_REATTACH_PROVIDERS='(.*)'/.exec(line) ?? [];
      if (attached !== undefined) resolve(attached);
    });
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${name} exited with ${String(code)}`);
  });
  return Promise.race([said, ended]);
}
