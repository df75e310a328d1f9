import { unzipSync } from "fflate";
import { afterEach, expect, it, vi } from "vitest";
import { sha256, zip } from "./archive.ts";

afterEach(() => vi.unstubAllEnvs());

const files: [string, string][] = [
  ["index.cjs", "exports.answer = 42;"],
  ["LICENSES.txt", "© everybody"],
  ["functions-framework/index.js", "x".repeat(10_000)],
];

it("holds its files as they are", () => {
  const unpacked = Object.entries(unzipSync(zip(new Map(files)))).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  expect(unpacked.sort()).toEqual([...files].sort());
});

it("is the same bytes in whatever order the files come and whatever the time zone is", () => {
  vi.stubEnv("TZ", "Pacific/Auckland");
  const there = sha256(zip(new Map(files)));
  vi.stubEnv("TZ", "America/Anchorage");
  expect(sha256(zip(new Map(files.toReversed())))).toBe(there);
});

it("is other bytes when a file changes", () => {
  expect(sha256(zip(new Map([...files, ["index.cjs", "exports.answer = 43;"]])))).not.toBe(sha256(zip(new Map(files))));
});
