import { expect, it } from "vitest";
import { withSections } from "./sections.ts";

const PAGE = "# Title\n<!-- generated: a -->\nold\n<!-- end -->\nkept\n<!-- generated: b -->\n<!-- end -->\n";

it("replaces what stands between the markers, and nothing else", () => {
  const page = withSections(PAGE, { a: "1", b: "2" });
  expect(page).toBe("# Title\n<!-- generated: a -->\n\n1\n\n<!-- end -->\nkept\n<!-- generated: b -->\n\n2\n\n<!-- end -->\n");
  expect(withSections(page, { a: "1", b: "2" })).toBe(page);
});

it("refuses a part without marker, and a marker without part", () => {
  expect(() => withSections(PAGE, { a: "1", b: "2", c: "3" })).toThrow("no marker for c");
  expect(() => withSections(PAGE, { a: "1" })).toThrow('marker "b"');
});
