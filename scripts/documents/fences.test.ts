import { expect, it } from "vitest";
import { clientBlocks, commandBlocks } from "./fences.ts";

const fence = (info: string, text: string, indent = ""): string =>
  [`\`\`\`${info}`, text, "```", ""].map((line) => indent + line).join("\n");

it("blocks of commands have the output that follows them", () => {
  const page = `${fence("sh", "ls")}\ntext\n\n${fence("text output", "a")}${fence("sh fails", "cat x", "   ")}${fence("json", "{}")}${fence("sh cloud", "gcloud")}`;
  expect(commandBlocks("p.md", page).map(({ line, mode, commands, output }) => [line, mode, commands, output?.text])).toEqual([
    [1, "run", "ls", "a"],
    [10, "fails", "cat x", undefined],
    [16, "cloud", "gcloud", undefined],
  ]);
});

it("blocks that clients run name the client", () => {
  const page = `${fence("python client pandas", "print(1)")}${fence("text output", "1")}${fence("sh client bq", "bq ls")}${fence("sh", "ls")}`;
  expect(clientBlocks("p.md", page)).toEqual([
    { page: "p.md", line: 1, client: "pandas", language: "python", text: "print(1)", output: "1" },
    { page: "p.md", line: 7, client: "bq", language: "sh", text: "bq ls", output: undefined },
  ]);
  expect(commandBlocks("p.md", page).map(({ mode }) => mode)).toEqual(["client", "run"]);
});

it.each([
  ["a program of no client", fence("python", "print(1)"), /p\.md:1: a block of python names the client/],
  ["commands of no client", fence("sh client", "bq ls"), /p\.md:1: `sh client` is none of/],
  ["a language that hides commands", fence("console", "$ ls"), /p\.md:1: a block of "console"/],
  ["no language", fence("", "ls"), /p\.md:1: a block of ""/],
  ["an unknown word", fence("sh slow", "ls"), /p\.md:1: `sh slow` is none of run, fails/],
  ["output of no commands", `${fence("json", "{}")}${fence("text output", "a")}`, /p\.md:4: output of no commands/],
  ["a block that is not closed", "```sh\nls", /p\.md:1: this block is not closed/],
])("%s is refused", (_what, page, message) => {
  expect(() => commandBlocks("p.md", page)).toThrow(message);
});
