import { tmpdir } from "node:os";
import { runProgram } from "./run-program.ts";

const INSTALL_SECONDS_MAX = 600;
/** Codes of Node.js for a host that cannot be reached. */
const UNREACHABLE = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/;

/**
 * Installs packages from npm in a folder, without running their scripts. Throws an Error of one line if they cannot be had.
 * @param names `name@version` each
 * @param options further options of `npm install`
 */
export async function installFromNpm(folder: string, names: readonly string[], options: readonly string[] = []): Promise<void> {
  const own = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  // By default npm goes on for minutes on a machine without a network.
  const network = ["--fetch-retries", "1", "--fetch-retry-mintimeout", "1000"];
  const { exitCode, stderr } = await runProgram("npm", ["install", ...own, ...network, ...options, ...names], {
    folder: tmpdir(),
    secondsMax: INSTALL_SECONDS_MAX,
  });
  if (exitCode !== 0) throw new Error(`npm could not install ${names.join(", ")}: ${reasonIn(stderr)}`);
}

function reasonIn(output: string): string {
  const code = UNREACHABLE.exec(output)?.[0];
  if (code !== undefined) return `its registry cannot be reached (${code})`;
  return (
    output
      .split("\n")
      .map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim())
      .find((line) => line !== "" && !line.startsWith("code ")) ?? "it gives no reason"
  );
}
