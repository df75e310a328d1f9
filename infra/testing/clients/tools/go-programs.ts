import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tool } from "../client.ts";
import { cached } from "./cache-folder.ts";
import { installedOnce } from "./installed-once.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

const BUILD_SECONDS_MAX = 600;
/** The machine's Go, no other; a build changes neither `go.mod` nor `go.sum`. */
const ENVIRONMENT = { GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" };

interface Built {
  /** What is built of the module; `tool` for the programs that its go.mod names as tools. */
  readonly packages?: string;
  /** Variables of the build. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly secondsMax?: number;
}

/** The programs of a module in Go. */
export interface GoPrograms extends Tool {
  /** Returns the path of a program by the name of its folder. */
  program(name: string): Promise<string>;
}

/** Describes the programs in the folders of a module. Go builds them once, with the modules that they need. */
export function goPrograms(module: URL, { packages = "./...", environment = {}, secondsMax = BUILD_SECONDS_MAX }: Built = {}): GoPrograms {
  const folder = fileURLToPath(module);
  const hash = createHash("sha256");
  for (const file of globSync(["go.{mod,sum}", "*/*.go"], { cwd: folder }).sort()) hash.update(readFileSync(join(folder, file)));
  const name = `go-${hash.digest("hex").slice(0, 16)}`;
  const { find, installed } = installedOnce(async () => {
    await go(["version"], { folder: tmpdir() }).catch(() => {
      throw new Error("go is not installed");
    });
    return cached(name, async (made) => {
      const { exitCode, stderr } = await go(["build", "-ldflags=-s -w", "-o", `${made}/`, packages], { folder, environment, secondsMax });
      if (exitCode !== 0) throw new Error(`go could not build ${folder}: ${stderr.trim().split("\n").at(-1) ?? ""}`);
    });
  });
  return { find, program: async (program) => join(await installed(), program) };
}

function go(args: readonly string[], { folder, environment, secondsMax }: Built & { readonly folder: string }): Promise<ProgramResult> {
  return runProgram("go", args, { folder, environment: { ...ENVIRONMENT, ...environment }, secondsMax: secondsMax ?? BUILD_SECONDS_MAX });
}
