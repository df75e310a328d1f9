import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { CommandBlock } from "./fences.ts";

/**
 * `npm run -s NAME -- ARGUMENTS` as a shell function that runs the script of package.json: npm itself takes half a second for that, a third of
 * what most commands take. Everything else is left to npm.
 */
const NPM_RUN = `npm() {
  if [ "\${1-} \${2-}" != "run -s" ]; then command npm "$@"; return; fi
  local name=$3
  shift 3
  if [ "\${1-}" = -- ]; then shift; fi
  case $name in
${Object.entries(manifest.scripts)
  .filter(([, script]) => /^[\w/ -]+$/.test(script))
  .map(([name, script]) => `    ${name}) ${script} "$@" ;;`)
  .join("\n")}
    *) command npm run -s "$name" -- "$@" ;;
  esac
}
`;

/** What a block printed, and its exit code; undefined if it or a block before it ended the shell. */
export interface Outcome {
  readonly output: string;
  readonly exitCode: number | undefined;
}

/**
 * Runs the blocks of a page one after another in one shell, as a reader does who follows the page: variables and functions of a block are there
 * in the next. A block that is to succeed ends the shell at its first failing command.
 * @param folder where the commands run
 * @param results a folder for what they print
 */
export async function runBlocks(
  blocks: readonly CommandBlock[],
  folder: string,
  results: string,
  environment: NodeJS.ProcessEnv,
): Promise<Outcome[]> {
  mkdirSync(results, { recursive: true });
  const file = (index: number, name: string): string => join(results, `${index}.${name}`);
  const script = blocks.map(({ mode, commands }, index) => {
    const run = `{\n${commands}\n} >'${file(index, "out")}' 2>&1 </dev/null\necho $? >'${file(index, "code")}'\n`;
    return mode === "fails" ? `set +e\n${run}` : `set -e\n${run}`;
  });
  const path = join(results, "page.sh");
  writeFileSync(path, [NPM_RUN, ...script].join("\n"));
  const shell = spawn("bash", [path], { cwd: folder, env: environment, stdio: "ignore" });
  await new Promise((resolve) => shell.once("close", resolve));
  return blocks.map((_, index) => ({ output: read(file(index, "out")) ?? "", exitCode: numberIn(read(file(index, "code"))) }));
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text.trim() === "" ? undefined : Number(text);
}
