import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { relativeLinks } from "./links.ts";
import { ROOT, readPage } from "./pages.ts";

const PAGE = "infra/threat-model.md";
const [, section = ""] = readPage(PAGE).split("\n## Threats\n");
const [threats = ""] = section.split("\n## ");
/** The rows of the table, each as its cells, without the head. */
const ROWS = threats
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

it("the threat model has threats", () => {
  expect(ROWS.length).toBeGreaterThan(20);
});

describe.each(ROWS.map((cells) => [`${cells[1]} ${cells[2]}`, cells] as const))("the threat that %s", (_name, cells) => {
  it("names what stops it, a test that is there, and what remains", () => {
    expect(cells).toEqual(Array(6).fill(expect.stringMatching(/./)));
    const tests = relativeLinks(cells[4] ?? "").map(({ target }) => normalize(join(dirname(PAGE), target)));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((file) => !/\.(test\.ts|tftest\.hcl)$/.test(file) || !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
