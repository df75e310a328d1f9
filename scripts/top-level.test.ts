import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

/** What everyone sees first. `dist` and `node_modules` are made here, and ignored by git. */
const BELONGS = new Set([
  ...["functions", "infra", "terraform", "shared", "scripts"],
  ...["package.json", "package-lock.json", "tsconfig.json", "firebase.json", "README.md", "LICENSE"],
  ...["dist", "node_modules"],
]);

test("the project's folder has nothing that a program left there, which `git add` would take along", () => {
  const visible = readdirSync(new URL("..", import.meta.url)).filter((name) => !name.startsWith("."));
  expect(visible.filter((name) => !BELONGS.has(name))).toEqual([]);
  expect(visible).toEqual(expect.arrayContaining(["functions", "README.md"]));
});
