import { join } from "node:path";

/**
 * Returns the path of a file or folder of the project, whatever folder the user stands in. `scripts/setup.sh` sets POPULUS_ROOT; a program that
 * is started without it runs in the project's folder.
 */
export function inProject(name: string): string {
  return join(process.env.POPULUS_ROOT ?? "", name);
}
