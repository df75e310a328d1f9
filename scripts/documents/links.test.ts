import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { anchors, relativeLinks } from "./links.ts";
import { allPages, PAGES_WITH_COMMANDS, ROOT, readPage } from "./pages.ts";

const README_LINES_MAX = 150;

it("finds every page", () => {
  expect(allPages()).toEqual(expect.arrayContaining([...PAGES_WITH_COMMANDS, "infra/threat-model.md"]));
});

it.each(allPages())("the links of %s lead to something that exists", (page) => {
  const broken = relativeLinks(readPage(page)).filter(({ target }) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchors(readPage(file)).has(anchor);
  });
  expect(broken.map(({ line, target }) => `${page}:${line}: ${target}`)).toEqual([]);
});

it(`README.md has at most ${README_LINES_MAX} lines`, () => {
  expect(readPage("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(README_LINES_MAX);
});

it("README.md links to how the API is called, how it is run, changed and deployed", () => {
  const targets = relativeLinks(readPage("README.md")).map(({ target }) => target.split("#")[0]);
  expect(targets).toEqual(
    expect.arrayContaining([
      "functions/README.md",
      "infra/README.md",
      "scripts/README.md",
      "shared/README.md",
      "terraform/README.md",
      ".github/CONTRIBUTING.md",
      ".github/SECURITY.md",
      "LICENSE",
    ]),
  );
});

describe("the links of a page", () => {
  it("are found inline and as references, but not in code, and not those of other sites", () => {
    const page = "[a](b.md#c) `[x](y.md)` [web](https://example.com)\n```sh\n[x](y.md)\n```\n[ref]: d.md\n[here](#top)";
    expect(relativeLinks(page)).toEqual([
      { line: 1, target: "b.md#c" },
      { line: 5, target: "d.md" },
      { line: 6, target: "#top" },
    ]);
  });

  it("lead to headings as GitHub names them", () => {
    const page = "# A `code` heading, with (marks)\n## Twice\n## Twice\n```sh\n# no heading\n```\n## Über 250 m";
    expect([...anchors(page)]).toEqual(["a-code-heading-with-marks", "twice", "twice-1", "über-250-m"]);
  });
});
