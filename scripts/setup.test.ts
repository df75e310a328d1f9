import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "./documents/pages.ts";

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "populus-setup-"));
  copyProject(project);
});

function copyProject(folder: string): void {
  for (const file of ["scripts/setup.sh", "package-lock.json"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
}

afterEach(() => rmSync(project, { recursive: true }));

/** Sources setup.sh with an npm that notes what it is asked for, and runs a shell command for `ci` and for `rebuild`. */
function setUp(ci: string, rebuild: string, npm = "9.6.4") {
  const bin = join(project, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "npm"),
    `#!/bin/sh\necho "$@" >>npm.log\ncase $1 in ci) ${ci} ;; rebuild) ${rebuild} ;; --version) echo ${npm} ;; esac\n`,
  );
  chmodSync(join(bin, "npm"), 0o755);
  const { status, stderr } = spawnSync("bash", ["-c", ". scripts/setup.sh"], {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  const asked = readFileSync(join(project, "npm.log"), "utf8").trim().split("\n");
  return { status, stderr, asked, isInstalled: existsSync(join(project, "node_modules/.populus-lock")) };
}

/** The native package, whose part for this machine is another one. */
const MAKE_NATIVE = `mkdir -p node_modules/@duckdb/node-api; echo >node_modules/@duckdb/node-api/index.js`;
const MAKE_NODE = `mkdir -p node_modules/.bin; ln -s '${process.execPath}' node_modules/.bin/node`;

it("installs all packages, whatever the user's settings leave out of other projects", () => {
  const { status, asked, isInstalled } = setUp(`${MAKE_NODE}; ${MAKE_NATIVE}`, "false");
  expect([status, isInstalled]).toEqual([0, true]);
  expect(asked).toEqual([expect.stringMatching(/^ci --include=dev --include=optional --package-lock --no-engine-strict /)]);
});

it("runs the script of the package of Node.js alone where the user's settings let npm run none", () => {
  const { status, asked, isInstalled } = setUp(MAKE_NATIVE, MAKE_NODE);
  expect([status, isInstalled]).toEqual([0, true]);
  expect(asked.slice(1)).toEqual([expect.stringMatching(/^rebuild node --ignore-scripts=false /)]);
});

it("installs again at the next command if the project's Node.js is not there", () => {
  const { status, stderr, isInstalled } = setUp("mkdir node_modules", "true");
  expect([status, isInstalled]).toEqual([1, false]);
  expect(stderr).toContain("The packages could not be installed");
});

it("says that an old npm left packages out, and which one does not, and installs again at the next command", () => {
  const makeUseless = `${MAKE_NATIVE}; echo 'require("@duckdb/of-this-machine")' >node_modules/@duckdb/node-api/index.js`;
  const { status, stderr, isInstalled } = setUp(`${MAKE_NODE}; ${makeUseless}`, "false");
  expect([status, isInstalled]).toEqual([1, false]);
  expect(stderr).toMatch(
    /do not work: Cannot find module '@duckdb\/of-this-machine'\nThis is npm 9\.6\.4\. Versions before 9\.6\.7 leave out/,
  );
});

it("does not blame a newer npm for a package that does not load", () => {
  const makeUseless = `${MAKE_NATIVE}; echo 'throw new Error("GLIBC_2.28 not found")' >node_modules/@duckdb/node-api/index.js`;
  const { status, stderr, isInstalled } = setUp(`${MAKE_NODE}; ${makeUseless}`, "false", "9.6.7");
  expect([status, isInstalled]).toEqual([1, false]);
  expect(stderr).toMatch(
    /do not work: GLIBC_2\.28 not found\nThey need Linux with glibc 2\.28 or newer, or macOS, on x64 or arm64; this is /,
  );
});

it("counts to the packages that npm installs on this machine", () => {
  const source = readFileSync(join(ROOT, "scripts/setup.sh"), "utf8");
  const [counting = ""] = /^packages_here\(\) \{\n.*?^\}$/ms.exec(source) ?? [];
  const { stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", `${counting}\npackages_here`], {
    cwd: project,
    encoding: "utf8",
  });
  // What npm says of itself about the folder that it has made.
  const record = readFileSync(join(ROOT, "node_modules/.package-lock.json"), "utf8");
  const { packages } = v.parse(v.object({ packages: v.record(v.string(), v.unknown()) }), JSON.parse(record));
  expect([stderr, stdout.trim().split("\n").sort()]).toEqual(["", Object.keys(packages).sort()]);
});

it("names npm's cache where npm fails, which containers may not let it write", () => {
  expect(setUp("exit 243", "false").stderr).toContain("npm_config_cache=FOLDER");
});

it.each(["a:b", "a*b", "a\\b"])("refuses a folder of the name %s in one line", (name) => {
  copyProject(join(project, name));
  const { status, stderr } = spawnSync("bash", ["scripts/setup.sh"], { cwd: join(project, name), encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^The project's folder is [^\n]*: its path must have no colon, backslash or asterisk[^\n]*\n$/);
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
