import { unzipSync } from "fflate";
import { afterEach, expect, it, vi } from "vitest";
import { sha256, zip } from "./archive.ts";

afterEach(() => vi.unstubAllEnvs());

const files: [string, string][] = [
  ["index.cjs", "exports.answer = 42;"],
  ["LICENSES.txt", "© everybody"],
  ["functions-framework/index.js", "x".repeat(10_000)],
];

it("holds its files unchanged", () => {
  const unpacked = Object.entries(unzipSync(zip(new Map(files)))).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  expect(unpacked.sort()).toEqual([...files].sort());
});

it("has the same bytes regardless of file order and time zone", () => {
  vi.stubEnv("TZ", "Pacific/Auckland");
  const there = sha256(zip(new Map(files)));
  vi.stubEnv("TZ", "America/Anchorage");
  expect(sha256(zip(new Map(files.toReversed())))).toBe(there);
});

it("has other bytes if a file changes", () => {
  expect(sha256(zip(new Map([...files, ["index.cjs", "exports.answer = 43;"]])))).not.toBe(sha256(zip(new Map(files))));
});
