import { readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, test } from "vitest";

const Lock = v.object({
  packages: v.record(
    v.string(),
    v.object({
      resolved: v.optional(v.string()),
      optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});
const { packages } = v.parse(Lock, JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")));

/** Returns where Node looks for a dependency of the package at a path of the lock file, nearest first. */
function candidates(path: string, name: string): string[] {
  const parts = path.split("/node_modules/");
  const above = parts.map((_, index) => `${parts.slice(0, index + 1).join("/node_modules/")}/node_modules/${name}`);
  return [...above.reverse(), `node_modules/${name}`];
}

test("the lock file holds the packages of every platform, so that npm ci never has to look them up in a registry", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
    Object.keys(optionalDependencies).filter((name) => !candidates(path, name).some((candidate) => candidate in packages)),
  );
  expect(missing).toEqual([]);
});

test("the lock file names no registry", () => {
  expect(Object.values(packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});
