import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tool } from "../client.ts";
import { cached } from "./cache-folder.ts";
import { installedOnce } from "./installed-once.ts";
import { mustRun, runProgram } from "./run-program.ts";

const INSTALL_SECONDS_MAX = 600;
const PYTHON = "python3";

/** A Python virtual environment with pinned packages from PyPI. */
export interface PythonEnvironment extends Tool {
  /** Returns its interpreter. Run tools as `python -m TOOL`: the environment is moved after it is made, which scripts of `bin` do not survive. */
  python(): Promise<Interpreter>;
}

/** An interpreter of Python. */
interface Interpreter {
  readonly program: string;
  /** Variables with which it keeps the bytecode of what it imports, also where the user's forbid it: beside the packages, none in the project. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Describes a virtual environment. It is installed once and kept in the cache, under a name with a hash of its requirements.
 * @param requirements a file of pinned requirements
 */
export function pythonEnvironment(requirements: URL): PythonEnvironment {
  const { find, installed } = installedOnce(() => install(readFileSync(requirements, "utf8")));
  return { find, python: installed };
}

async function install(requirements: string): Promise<Interpreter> {
  const folder = tmpdir();
  const version = await runProgram(PYTHON, ["-c", "import sys, venv; print(sys.version)"], { folder }).catch(() => undefined);
  if (version?.exitCode !== 0) throw new Error(`${PYTHON} with the module venv is not installed`);
  const hash = createHash("sha256").update(`${version.stdout}\n${requirements}`).digest("hex").slice(0, 16);
  const environment = await cached(`python-${hash}`, async (made) => {
    await mustRun(PYTHON, ["-m", "venv", made], { folder });
    // Python makes the bytecode of what a program imports when it runs. Made for all packages, it takes half of the installation's time.
    const pip = ["-m", "pip", "install", "--no-compile", "--quiet", "--disable-pip-version-check", "--no-input"];
    const network = ["--retries", "1", "--timeout", "20"];
    const result = await runProgram(join(made, "bin", "python"), [...pip, ...network, ...namesOf(requirements)], {
      folder,
      secondsMax: INSTALL_SECONDS_MAX,
    });
    if (result.exitCode !== 0) throw new Error(`pip could not install the packages: ${lastError(result.stderr)}`);
  });
  return {
    program: join(environment, "bin", "python"),
    variables: { PYTHONPYCACHEPREFIX: join(environment, "bytecode"), PYTHONDONTWRITEBYTECODE: undefined },
  };
}

function namesOf(requirements: string): string[] {
  return requirements.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

/** Without the network pip says that there is no such version; why it thinks so is in its warnings. */
function lastError(output: string): string {
  if (output.includes("after connection broken")) return "PyPI cannot be reached";
  const lines = output.split("\n").filter((line) => line !== "");
  return (lines.findLast((line) => line.startsWith("ERROR:")) ?? lines.at(-1) ?? "no message").replace(/^ERROR: /, "");
}
