import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CHECKS } from "./check/checks.ts";
import { CHECK_USAGE, exitOnHelp } from "./usage.ts";

/** `npm run check` runs all checks but the tests, up to the first that fails. */
exitOnHelp(CHECK_USAGE, process.argv.slice(2));
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const failed = CHECKS.find(({ command, args }) => spawnSync(command, args, { stdio: "inherit" }).status !== 0);
if (failed) {
  console.error(`${failed.name}: this check failed; .github/CONTRIBUTING.md (Test) says what to do`);
  process.exitCode = 1;
}
