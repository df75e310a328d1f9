import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { refusedLicences } from "./packages/licences.ts";
import { incomplete, type LockFile, nameAt, readLock } from "./packages/lock.ts";

const lock = readLock(new URL("..", import.meta.url));

test("the lock file holds the packages of every platform, so that npm ci never has to look them up in a registry", () => {
  expect(incomplete(lock)).toEqual([]);
});

test("every package has an integrity, those of other platforms too", () => {
  const without = Object.entries(lock.packages).filter(([path, { integrity, link }]) => path !== "" && !link && integrity === undefined);
  expect(without.map(([path]) => path)).toEqual([]);
});

test("a package that npm left out, or left without integrity, is found", () => {
  const { "node_modules/esbuild": esbuild } = lock.packages;
  const [name = "", range = ""] = Object.entries(esbuild?.optionalDependencies ?? {})[0] ?? [];
  const { [`node_modules/${name}`]: _, ...without } = lock.packages;
  const found = { path: `node_modules/${name}`, name, range, dev: true };
  expect(incomplete({ packages: without })).toContainEqual(found);
  const broken: LockFile = { packages: { ...lock.packages, [`node_modules/${name}`]: { version: range } } };
  expect(incomplete(broken)).toContainEqual(found);
});

// Each copy costs every process that has Google's clients its loading. npm keeps the place of a package, so after an update this restores it:
// `npm install google-gax@6`, `npm uninstall google-gax`, `npm dedupe`, `npm run lock-file`.
test("Google's clients share one google-gax of each version", () => {
  const copies = Object.entries(lock.packages).filter(([path]) => nameAt(path) === "google-gax");
  const versions = copies.map(([, { version }]) => version);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.sort()).toEqual([...new Set(versions)].sort());
});

test("the lock file names no registry", () => {
  expect(Object.values(lock.packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});

test("every package has a licence that is permitted", () => {
  expect(refusedLicences(lock)).toEqual([]);
});

test("a package of another licence, and one without, are refused", () => {
  const packages = {
    "node_modules/copyleft": { integrity: "sha512-", license: "AGPL-3.0-only" },
    "node_modules/a/node_modules/silent": { integrity: "sha512-" },
  };
  expect(refusedLicences({ packages })).toEqual(["copyleft: AGPL-3.0-only", "silent: not stated"]);
});

test("each install script was decided on", () => {
  const scripts = Object.entries(lock.packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [nameAt(path)] : []));
  expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(scripts)].sort());
});
