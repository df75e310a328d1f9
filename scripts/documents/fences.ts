/**
 * How a block of commands is tested: run, run and expected to fail, started as the service, only checked for existing commands, or run by
 * `npm run clients` (`sh client NAME`).
 */
const MODES = ["run", "fails", "serves", "cloud", "long", "client"] as const;
type Mode = (typeof MODES)[number];

/** Languages that hold no commands. Others (`bash`, `console`, none) are refused, so that no command escapes the test. */
const DATA_LANGUAGES = new Set(["json", "text", "mermaid", "hcl", "sql", "ts", "csv", "md"]);

/** Languages of programs that customers write. Their blocks name the client that runs them: `python client NAME`. */
const CLIENT_LANGUAGES = new Set(["python", "js", "java", "r"]);

/** A fenced block of a page. */
interface Fence {
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language. */
  readonly words: readonly string[];
  readonly text: string;
}

/** A block of commands, with the output that the page shows for it. */
export interface CommandBlock {
  readonly page: string;
  readonly line: number;
  readonly mode: Mode;
  readonly commands: string;
  readonly output: Fence | undefined;
}

/** A block that a client of `npm run clients` runs, with the output that the page shows for it. */
export interface ClientBlock {
  readonly page: string;
  readonly line: number;
  /** The name of the client. */
  readonly client: string;
  readonly language: string;
  readonly text: string;
  readonly output: string | undefined;
}

/** Returns the fenced blocks of a page, also those that are indented in a list. Throws for a fence that is not closed. */
function fencesOf(page: string, markdown: string): Fence[] {
  const fences: Fence[] = [];
  let open: { readonly indent: number; readonly line: number; readonly info: string; readonly lines: string[] } | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const [, indent = "", info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (info !== undefined) open = { indent: indent.length, line: index + 1, info: info.trim(), lines: [] };
    } else if (info === "") {
      const [language = "", ...words] = open.info.split(/\s+/);
      fences.push({ page, line: open.line, language, words, text: open.lines.join("\n") });
      open = undefined;
    } else open.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)));
  }
  if (open) throw new Error(`${page}:${open.line}: this block is not closed`);
  return fences;
}

/**
 * Returns the blocks of commands of a page, each with the block of output that follows it. Throws for a language or a word that the test does
 * not know, and for output without commands.
 */
export function commandBlocks(page: string, markdown: string): CommandBlock[] {
  const fences = fencesOf(page, markdown);
  const blocks: CommandBlock[] = [];
  for (const [index, fence] of fences.entries()) {
    if (fence.language !== "sh") {
      assertKnown(fence, fences[index - 1]);
      continue;
    }
    const next = fences[index + 1];
    const output = next?.words.includes("output") ? next : undefined;
    blocks.push({ page, line: fence.line, mode: modeOf(fence), commands: fence.text, output });
  }
  return blocks;
}

function modeOf({ page, line, words }: Fence): Mode {
  const [word = "run", ...more] = words;
  const mode = MODES.find((known) => known === word);
  if (mode === undefined || more.length !== (mode === "client" ? 1 : 0))
    throw new Error(`${page}:${line}: \`sh ${words.join(" ")}\` is none of ${MODES.join(", ")}`);
  return mode;
}

/** Throws for a block other than of commands whose language or words the test does not know. */
function assertKnown({ page, line, language, words }: Fence, before: Fence | undefined): void {
  const at = `${page}:${line}`;
  if (CLIENT_LANGUAGES.has(language)) {
    if (words[0] === "client" && words.length === 2) return;
    throw new Error(`${at}: a block of ${language} names the client that runs it: \`${language} client NAME\``);
  }
  if (!DATA_LANGUAGES.has(language))
    throw new Error(`${at}: a block of ${JSON.stringify(language)}; commands are \`sh\`, other blocks ${[...DATA_LANGUAGES].join(", ")}`);
  if (words.includes("output") && !isProgram(before)) throw new Error(`${at}: output of no commands`);
}

/** Returns the blocks of commands of any page, also of one whose other blocks no test runs. */
export function typedBlocks(page: string, markdown: string): Pick<CommandBlock, "line" | "commands">[] {
  return fencesOf(page, markdown).flatMap(({ language, line, text }) => (language === "sh" ? [{ line, commands: text }] : []));
}

function isProgram(fence: Fence | undefined): boolean {
  return fence !== undefined && (fence.language === "sh" || CLIENT_LANGUAGES.has(fence.language));
}

/** Returns the blocks of a page that clients run. */
export function clientBlocks(page: string, markdown: string): ClientBlock[] {
  const fences = fencesOf(page, markdown);
  return fences.flatMap(({ line, language, words, text }, index) => {
    const [word, client] = words;
    if (word !== "client" || client === undefined) return [];
    const next = fences[index + 1];
    return [{ page, line, client, language, text, output: next?.words.includes("output") ? next.text : undefined }];
  });
}
