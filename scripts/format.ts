import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { exitOnHelp, FORMAT_USAGE } from "./usage.ts";

/** `npm run format` formats every file of the project. */
exitOnHelp(FORMAT_USAGE, process.argv.slice(2));
process.chdir(fileURLToPath(new URL("..", import.meta.url)));
process.exitCode = spawnSync("biome", ["check", "--write", "."], { stdio: "inherit" }).status ?? 1;
