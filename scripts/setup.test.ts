import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "./documents/pages.ts";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "populus-setup-"));
  for (const file of ["scripts/setup.sh", "package-lock.json"]) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(project, file));
  }
});

afterEach(() => rmSync(project, { recursive: true }));

/** Sources setup.sh with an npm that notes what it is asked for, and runs a shell command for `ci` and for `rebuild`. */
function setUp(ci: string, rebuild: string) {
  const bin = join(project, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), `#!/bin/sh\necho "$@" >>npm.log\ncase $1 in ci) ${ci} ;; rebuild) ${rebuild} ;; esac\n`);
  chmodSync(join(bin, "npm"), 0o755);
  const { status, stderr } = spawnSync("bash", ["-c", ". scripts/setup.sh"], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  const asked = readFileSync(join(project, "npm.log"), "utf8").trim().split("\n");
  return { status, stderr, asked, isInstalled: existsSync(join(project, "node_modules/.populus-lock")) };
}

const MAKE_NODE = `mkdir -p node_modules/.bin; ln -s '${process.execPath}' node_modules/.bin/node`;

it("installs all packages, whatever the user's settings leave out of other projects", () => {
  const { status, asked, isInstalled } = setUp(MAKE_NODE, "false");
  expect([status, isInstalled]).toEqual([0, true]);
  expect(asked).toEqual([expect.stringMatching(/^ci --include=dev --include=optional --package-lock --no-engine-strict /)]);
});

it("runs the script of the package of Node.js alone where the user's settings let npm run none", () => {
  const { status, asked, isInstalled } = setUp("mkdir node_modules", MAKE_NODE);
  expect([status, isInstalled]).toEqual([0, true]);
  expect(asked.slice(1)).toEqual([expect.stringMatching(/^rebuild node --ignore-scripts=false /)]);
});

it("installs again at the next command if the project's Node.js is not there", () => {
  const { status, stderr, isInstalled } = setUp("mkdir node_modules", "true");
  expect([status, isInstalled]).toEqual([1, false]);
  expect(stderr).toContain("The packages could not be installed");
});

it("a clone has scripts that bash reads, also where git is told to end lines as Windows does", () => {
  copyFileSync(join(ROOT, ".gitattributes"), join(project, ".gitattributes"));
  const git = (...args: readonly string[]) => {
    const settings = ["core.autocrlf=true", "user.name=t", "user.email=t@example.org"].flatMap((setting) => ["-c", setting]);
    return execFileSync("git", [...settings, ...args], { cwd: project, stdio: "pipe" });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "t");
  git("clone", "--quiet", ".", "clone");
  expect(readFileSync(join(project, "clone/scripts/setup.sh"), "utf8")).toBe(readFileSync(join(ROOT, "scripts/setup.sh"), "utf8"));
});
