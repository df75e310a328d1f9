import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, describe, expect, it } from "vitest";
import { assertNotTakenByNpm, parseCommandLine } from "./command-line.ts";
import { helpTexts } from "./documents/help-texts.ts";
import { ROOT } from "./documents/pages.ts";

const manifest = v.parse(v.object({ scripts: v.record(v.string(), v.string()) }), JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")));
const commands = Object.keys(await helpTexts());
/** A folder that is not the project's, where the user stands. It has a folder `scripts`, which `cd` would prefer by the user's CDPATH. */
const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "populus commands-")));
mkdirSync(join(elsewhere, "scripts"));
afterAll(() => rmSync(elsewhere, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a command as a README names it, from a folder that is not the project's. npm calls its scripts in the project's and tells where the user is. */
function run(command: string, args: readonly string[], shell = "bash"): Ended {
  const [, name = ""] = /^npm run (\S+)$/.exec(command) ?? [];
  const { INIT_CWD: _, ...inherited } = process.env;
  const env = { ...inherited, CDPATH: elsewhere };
  const { status, stdout, stderr } = name
    ? spawnSync("bash", ["-c", `${manifest.scripts[name]} "$@"`, name, ...args], {
        cwd: ROOT,
        env: { ...env, INIT_CWD: elsewhere },
        encoding: "utf8",
      })
    : spawnSync(shell, [join(ROOT, command), ...args], { cwd: elsewhere, env, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

describe.each(commands)("%s", (command) => {
  it("shows its help", () => {
    expect(run(command, ["--help"])).toEqual({ status: 0, output: expect.stringContaining(`Usage: ${command}`) });
  });

  it("refuses an unknown option, which it names, with what is right", () => {
    const { status, output } = run(command, command === "npm run admin" ? ["tick", "--no-such-option"] : ["--no-such-option"]);
    expect(status).toBeGreaterThan(0);
    expect(output).toContain("no-such-option");
    expect(output).toMatch(/; options: --|Usage: |did you mean|There is no benchmark/);
    expect(output).not.toMatch(/\n {4}at /);
  });

  it.runIf(command.startsWith("./"))("runs with sh, too, and knows -h", () => {
    expect(run(command, ["-h"], "sh")).toEqual({ status: 0, output: expect.stringContaining(`Usage: ${command}`) });
  });
});

describe("paths are relative to where the user stands", () => {
  it.each(["./scripts/start", "./scripts/demo"])("of %s", (command) => {
    writeFileSync(join(elsewhere, "rules.json"), "{,}");
    const { status, output } = run(command, ["--countries", "rules.json", "--state", "own"]);
    expect([status, output]).toEqual([1, expect.stringContaining(`--countries ${join(elsewhere, "rules.json")} is not valid JSON`)]);
    expect(existsSync(join(elsewhere, "own/cloud.log"))).toBe(true);
  });

  it.each([
    ["npm run import", ["geographies", "--file", "areas.csv"]],
    ["npm run admin", ["tick"]],
  ])("of %s", (command, args) => {
    mkdirSync(join(elsewhere, "other"), { recursive: true });
    writeFileSync(join(elsewhere, "other/ready.json"), "{}");
    const { status, output } = run(command, [...args, "--state", "other"]);
    expect([status, output]).toEqual([1, expect.stringContaining("other/ready.json was not written by a service")]);
  });
});

describe("a command line", () => {
  const options = { port: { type: "string" }, state: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
  const parse = (...args: string[]) => parseCommandLine({ args, options }).values;

  it("takes options with and without an equals sign", () => {
    expect({ ...parse("--port=1", "--state", "x") }).toEqual({ port: "1", state: "x" });
  });

  it.each([
    [["--prot", "1"], "Unknown option '--prot'; did you mean --port?"],
    [["-port", "1"], "Unknown option '-port'; did you mean --port?"],
    [["--stat=x"], "Unknown option '--stat'; did you mean --state?"],
    [["--frobnicate"], "Unknown option '--frobnicate'; options: --port, --state, --help"],
    [["9000"], 'Unexpected argument "9000"; options: --port, --state, --help'],
    [["--port"], "--port needs a value; one that begins with a dash is written --port=VALUE"],
    [["--port", "--state"], "--port needs a value; one that begins with a dash is written --port=VALUE"],
    [["--help=yes"], "--help takes no value"],
  ])("%j is refused in one line", (args, line) => {
    expect(() => parse(...args)).toThrow(new Error(line));
  });

  it("whose options npm has taken, because -- is missing, is refused", () => {
    const environment = { npm_lifecycle_event: "fuzz", npm_config_seed: "7" };
    expect(() => assertNotTakenByNpm(["seed", "only"], environment)).toThrow(
      new Error("npm took --seed as its own: options follow --, as in npm run fuzz -- --seed …"),
    );
    expect(() => assertNotTakenByNpm(["seed", "only"], { npm_config_seed: "7" })).not.toThrow();
    const { status, stderr } = spawnSync("npm", ["run", "-s", "generate", "--check"], { cwd: ROOT, encoding: "utf8" });
    expect([status, stderr]).toEqual([2, expect.stringContaining("npm took --check as its own: options follow --")]);
  });
});
