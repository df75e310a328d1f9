import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CONSOLE_TEST_USAGE, exitOnHelp } from "./usage.ts";

/** `npm run console-test` runs every test of the web console in a real browser. */
exitOnHelp(CONSOLE_TEST_USAGE, process.argv.slice(2));
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
process.exitCode =
  spawnSync("vitest", ["run", "--config", "scripts/vitest.config.ts", "--project", "console"], { stdio: "inherit" }).status ?? 1;
