import { describe, expect, it } from "vitest";
import { typedBlocks } from "./fences.ts";
import { allPages, readPage } from "./pages.ts";
import { pastedFaults } from "./pasted-shell.ts";
import { hasZsh, zshRefusal } from "./zsh.ts";

const pages = allPages()
  .map((page) => ({ page, blocks: typedBlocks(page, readPage(page)) }))
  .filter(({ blocks }) => blocks.length > 0);

const faultsOf = (...texts: readonly string[]): string[] => pastedFaults(texts.map((commands) => ({ line: 0, commands })));

describe("the commands of the pages", () => {
  it.each(pages)("of $page can be pasted into zsh, the shell of macOS", ({ page, blocks }) => {
    expect(pastedFaults(blocks).map((fault) => `${page}:${fault}`)).toEqual([]);
  });

  it.skipIf(!hasZsh()).each(pages)("of $page are parsed by zsh", ({ page, blocks }) => {
    expect(blocks.flatMap(({ line, commands }) => zshRefusal(commands)?.replace(/^/, `${page}:${line}: `) ?? [])).toEqual([]);
  });
});

it.each([
  ["a comment after a command", ["A=1\nB=2    # the second"], "2: zsh runs a comment"],
  ["a line of comment", ["ls\n\n# add (it) to\nls"], "3: zsh runs a comment"],
  ["a comment in a substitution", ['A="$(ls # all\n)"'], "1: zsh runs a comment"],
  ["options in a variable", ['export AT="--project P --environment dev"\nadmin list $AT'], "2: zsh does not split $AT"],
  ["a command in a variable of another block", ["bq='bq --api x'", "$bq ls"], "1: zsh does not split $bq"],
  ["options with braces", [`AT='--a 1'\nls x\${AT}`], "2: zsh does not split $AT"],
  ["a variable of a variable of several words", ['A="a b" B="$A"\nls $B'], "2: zsh does not split $B"],
  ["an address with a question mark", ["curl $DATA/geographies?limit=1"], "1: zsh looks for files that match $DATA/geographies?limit=1"],
])("%s is refused", (_what, blocks, fault) => {
  expect(faultsOf(...blocks)).toEqual([expect.stringContaining(fault)]);
});

it.each([
  ["a number sign in a word or in quotes", [`curl x/#top '# a' "# b" \${#A} $#`]],
  ["a variable of one word", ["A=$(node -p '1 + 1') B='a'\nls $A $B \"$C\""]],
  ["a variable of several words in quotes", ['SQL="SELECT 1"\nbq "$SQL" -d "{\\"query\\": \\"$SQL\\"}" "$(node -p "($SQL).x")"']],
  ["a variable that has one word again", ['A="a b"\nA=a\nls $A']],
  ["an assignment, which no shell splits", ['A="a b"\nB=$A ls']],
  ["an argument like an assignment", ['admin --set A="a b"\nls $A']],
  ["an exit code, and a question mark in quotes", ["echo $? 'a?' \"b?\""]],
  ["a function", ['at() { "$@" --project P; }\nat ls']],
])("%s is taken", (_what, blocks) => {
  expect(faultsOf(...blocks)).toEqual([]);
});

it.skipIf(!hasZsh())("zsh refuses what has not its form, and does not run what has", () => {
  expect([zshRefusal("for A in b; do ls"), zshRefusal("exit 1")]).toEqual([expect.stringContaining("parse error"), undefined]);
});
