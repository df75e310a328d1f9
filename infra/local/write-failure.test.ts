import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { writeFailure } from "./write-failure.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it.each<[string, unknown, string]>([
  ["a path through a file", thrownBy(() => writeFileSync("package.json/x", "")), "ENOTDIR"],
  ["a folder that is not there", thrownBy(() => writeFileSync("/nowhere/x", "")), "ENOENT"],
  ["DuckDB's text of the system's error", new Error('IO Error: Cannot open file "/x/lock": Permission denied'), "Permission denied"],
  ["a file that is not DuckDB's", new Error("IO Error: The file exists, but it is not\nmore"), "IO Error: The file exists, but it is not"],
])("%s is why a folder cannot be written", (_what, error, why) => {
  expect(writeFailure(error)).toBe(why);
});

it.each<[string, unknown]>([
  ["a package that is not there", Object.assign(new Error("Cannot find module 'x'"), { code: "MODULE_NOT_FOUND" })],
  ["a library that does not load", Object.assign(new Error("x.so: no such file"), { code: "ERR_DLOPEN_FAILED" })],
  ["a fault of the program", new TypeError("x is not a function")],
  ["a text", "IO Error: x"],
])("%s says nothing about a folder", (_what, error) => {
  expect(writeFailure(error)).toBeUndefined();
});
