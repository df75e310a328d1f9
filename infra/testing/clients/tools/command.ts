import { tmpdir } from "node:os";
import type { Tool } from "../client.ts";
import { runProgram } from "./run-program.ts";

/**
 * Describes a command of the machine.
 * @param args makes it say its version
 */
export function command(name: string, args: readonly string[]): Tool {
  return {
    find: async () => {
      try {
        const { exitCode, stdout, stderr } = await runProgram(name, args, { folder: tmpdir() });
        if (exitCode === 0) return { found: true };
        return { found: false, missing: `${name} ${args.join(" ")} exits with ${exitCode}: ${`${stdout}${stderr}`.trim().split("\n")[0]}` };
      } catch {
        return { found: false, missing: `${name} is not installed` };
      }
    },
  };
}
