import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandBlock, commandBlocks } from "./fences.ts";
import { jsonDifference } from "./json-shape.ts";
import { type Outcome, runBlocks } from "./page-session.ts";
import { PAGES_WITH_COMMANDS, ROOT, readPage } from "./pages.ts";
import { type Served, serve } from "./running-service.ts";
import { textDifference } from "./shape.ts";

/** A machine without Google's emulators: the pages show what Node alone gives. */
const ENVIRONMENT = { ...process.env, JAVA_HOME: "/nowhere", CLOUDSDK_ROOT: "/nowhere" };

/** What the folder in which pages run does not share with the project. */
const OWN = new Set([".git", ".local", "dist"]);

const blocksOf = (page: string): CommandBlock[] => commandBlocks(page, readPage(page));
const isRun = ({ mode }: CommandBlock): boolean => mode === "run" || mode === "fails";
const pages = PAGES_WITH_COMMANDS.filter((page) => blocksOf(page).some(isRun));

/** Returns what a page says wrongly about a block, undefined if it is right. */
function fault(block: CommandBlock, { output, exitCode }: Outcome): string | undefined {
  const at = `${block.page}:${block.line}`;
  if (exitCode === undefined) return `${at} ended the shell, or a block before it did:\n${output}`;
  if ((exitCode === 0) === (block.mode === "fails")) return `${at} exits with ${exitCode}:\n${output}`;
  const difference = block.output && differenceOf(block.output, output);
  return difference === undefined ? undefined : `${at} shows another output than the real one.\n  ${difference}\nReal output:\n${output}`;
}

function differenceOf(shown: { readonly language: string; readonly text: string }, actual: string): string | undefined {
  if (shown.language !== "json") return textDifference(shown.text, actual);
  try {
    return jsonDifference(JSON.parse(shown.text), JSON.parse(actual));
  } catch (error) {
    return String(error);
  }
}

/** Makes a folder that has the project's files, but a state folder of its own: a developer's own service is left alone. */
function linkProject(project: string): void {
  mkdirSync(project);
  for (const name of readdirSync(ROOT)) if (!OWN.has(name)) symlinkSync(join(ROOT, name), join(project, name));
}

describe("the commands of the pages", () => {
  let folder: string;
  let served: Served;
  const outcomes = new Map<string, Outcome[]>();
  const run = (page: string): Promise<Outcome[]> =>
    runBlocks(blocksOf(page).filter(isRun), join(folder, "project"), join(folder, page.replaceAll("/", "-")), ENVIRONMENT);
  const start = blocksOf("README.md").find(({ mode }) => mode === "serves");

  beforeAll(async () => {
    execFileSync("bash", ["scripts/setup.sh"], { cwd: ROOT });
    folder = mkdtempSync(join(tmpdir(), "populus-documents-"));
    linkProject(join(folder, "project"));
    // One service for all pages, so it also has the country that one page adds.
    const [countries = ""] =
      /--countries \S+/.exec(blocksOf("scripts/README.md").find(({ mode }) => mode === "serves")?.commands ?? "") ?? [];
    served = await serve(`${start?.commands} ${countries}`, join(folder, "project"), ENVIRONMENT);
    // Two at a time: the demo, on the first page, starts a service of its own, and the other pages need not wait for it.
    const waiting = [...pages];
    const work = async (): Promise<void> => {
      for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) outcomes.set(page, await run(page));
    };
    await Promise.all([work(), work()]);
  });

  afterAll(async () => {
    await served?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("start the service with the output that README.md shows", () => {
    expect(start?.output).toBeDefined();
    expect(textDifference(start?.output?.text ?? "", served.output)).toBeUndefined();
  });

  it.each(pages)("of %s run, and print what it shows", (page) => {
    const blocks = blocksOf(page).filter(isRun);
    expect(blocks.length).toBeGreaterThan(0);
    expect(
      blocks.flatMap((block, index) => fault(block, outcomes.get(page)?.[index] ?? { output: "", exitCode: undefined }) ?? []),
    ).toEqual([]);
  });
});
