import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { verbs } from "../admin/catalogue.ts";
import { COMMON_HELP } from "../admin/options.ts";
import { commandBlocks } from "./fences.ts";
import { helpTexts } from "./help-texts.ts";
import { type Mention, mentions } from "./mentions.ts";
import { allPages, PAGES_WITH_COMMANDS, ROOT, readPage } from "./pages.ts";

const helps = new Map(Object.entries(await helpTexts()));
const manifest = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")),
);
const entries = readdirSync(join(ROOT, "scripts"), { withFileTypes: true });
/** `scripts/admin` in a text is the folder, not the command. */
const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `./scripts/${name}`);
const scripts = entries.filter((entry) => entry.isFile() && !/\.(?:ts|md)$/.test(entry.name)).map(({ name }) => `./scripts/${name}`);
/** Files that commands source or call, not commands of their own. */
const INTERNAL = ["./scripts/run", "./scripts/setup.sh"];
/** The same as the scripts of these names, for those who try npm first. */
const ALIASES = ["start", "demo", "test"];
const npmCommands = Object.keys(manifest.scripts).filter((name) => !ALIASES.includes(name));
const commands = new Set([...scripts, ...npmCommands.map((name) => `npm run ${name}`)]);

/** Returns what is wrong about a command that a page names, undefined if nothing is. */
async function wrong({ command, args }: Mention): Promise<string | undefined> {
  if (!commands.has(command)) return args.length === 0 && folders.includes(command) ? undefined : "there is no such command";
  const isNpm = command.startsWith("npm");
  const separator = args.indexOf("--");
  const own = isNpm ? args.slice(separator < 0 ? args.length : separator + 1) : args;
  const swallowed = isNpm ? args.slice(0, separator < 0 ? undefined : separator).find((word) => word.startsWith("-")) : undefined;
  if (swallowed !== undefined) return `npm takes ${swallowed}: it must follow --`;
  const options = own.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split("=")[0] ?? "");
  const verb = command === "npm run admin" ? verbOf(own) : undefined;
  if (command === "npm run admin" && verb === undefined && /^[a-z]/.test(own[0] ?? ""))
    return `there is no verb ${own.slice(0, 2).join(" ")}`;
  const help = verb === undefined ? helps.get(command) : `${(await verb.load()).default.more ?? ""}\n${COMMON_HELP}`;
  const unknown = options.find((option) => !new RegExp(`${option}(?![a-z-])`).test(help ?? "") && option !== "--help");
  return unknown === undefined ? undefined : `it has no option ${unknown}`;
}

function verbOf(words: readonly string[]) {
  const known = new Map(Object.entries(verbs));
  return known.get(words.slice(0, 2).join(" ")) ?? known.get(words[0] ?? "");
}

it.each(allPages())("%s names commands and options that exist", async (page) => {
  const faults: string[] = [];
  for (const mention of mentions(readPage(page))) {
    const fault = await wrong(mention);
    if (fault !== undefined) faults.push(`${page}:${mention.line}: ${[mention.command, ...mention.args].join(" ")}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

it.each(PAGES_WITH_COMMANDS)("%s names files that exist", (page) => {
  const named = [...readPage(page).matchAll(/(?<![\w./-])(?:functions|infra|scripts|shared|terraform)\/[\w./-]*\.[a-z]{2,6}\b/g)].map(
    ([path]) => path,
  );
  // Files that a reader or a command is about to write.
  const written = /terraform\.tfvars$|customers\.auto\.tfvars\.json$/;
  expect(named.filter((path) => !written.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

it.each(PAGES_WITH_COMMANDS)("%s marks as long or for the cloud only blocks that start a command", (page) => {
  for (const { line, mode, commands: text } of commandBlocks(page, readPage(page)))
    if (mode === "long" || mode === "serves") expect(mentions(`\`\`\`sh\n${text}\n\`\`\``).length, `${page}:${line}`).toBeGreaterThan(0);
    else if (mode === "cloud")
      expect(text, `${page}:${line}`).toMatch(/gcloud|terraform|scripts\/(?:deploy|bootstrap)|https:\/\/|npm run /);
});

it.each(ALIASES)("npm run %s is ./scripts/%s", (name) => {
  expect([scripts, manifest.scripts[name]]).toEqual([expect.arrayContaining([`./scripts/${name}`]), `bash scripts/run ${name}`]);
});

describe("scripts/README.md", () => {
  it("lists every command, and no other", () => {
    const rows = [...readPage("scripts/README.md").matchAll(/^\| `([^`]+)` +\|/gm)].map(([, command = ""]) => command);
    expect(rows.filter((command) => command.startsWith("./scripts/") || command.startsWith("npm run ")).sort()).toEqual(
      [...commands].filter((command) => !INTERNAL.includes(command)).sort(),
    );
  });

  it("shows the help of every command", () => {
    expect([...helps.keys()].sort()).toEqual([...commands].filter((command) => !INTERNAL.includes(command)).sort());
  });
});

describe("the commands of a page", () => {
  it("are found in sh blocks and inline code with their arguments", () => {
    const page =
      "`npm run -s admin -- tick` and `scripts/bundle/x.ts`\n```sh cloud\n./scripts/deploy dev \\\n  --to 'a b' | cat\n```\n```text\nnpm run no\n```";
    expect(mentions(page)).toEqual([
      { line: 1, command: "npm run admin", args: ["--", "tick"] },
      { line: 3, command: "./scripts/deploy", args: ["dev", "--to", "a b"] },
    ]);
  });

  it.each([
    [{ line: 1, command: "npm run nothing", args: [] }, "there is no such command"],
    [{ line: 1, command: "./scripts/deploy", args: ["dev", "--undo", "x"] }, "it has no option --undo"],
    [{ line: 1, command: "npm run fuzz", args: ["--seed", "7"] }, "npm takes --seed: it must follow --"],
    [{ line: 1, command: "npm run admin", args: ["--", "keys", "rename", "x"] }, "there is no verb keys rename"],
    [{ line: 1, command: "npm run admin", args: ["--", "keys", "rotate", "UID", "--admin"] }, "it has no option --admin"],
    [{ line: 1, command: "npm run admin", args: ["--", "keys", "rotate", "UID", "a", "--yes", "--json"] }, undefined],
  ])("are refused where they do not exist: %j", async (mention, fault) => {
    expect(await wrong(mention)).toBe(fault);
  });
});
