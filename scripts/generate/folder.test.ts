import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { drift, write } from "./folder.ts";

const FILES = new Map([
  ["a.json", "{}\n"],
  ["sql/b.sql", "SELECT 1\n"],
]);

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "populus-generated-")), "generated");
});

afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

it("what was written has no drift, and is what was given", () => {
  write(folder, FILES);
  expect(drift(folder, FILES)).toEqual([]);
  expect(readFileSync(join(folder, "sql/b.sql"), "utf8")).toBe("SELECT 1\n");
});

it("a file that is missing, changed or written by nobody is drift", () => {
  expect(drift(folder, FILES)).toEqual(["a.json is not what the code says", "sql/b.sql is not what the code says"]);
  write(folder, FILES);
  writeFileSync(join(folder, "a.json"), "{ }\n");
  writeFileSync(join(folder, "sql/old.sql"), "");
  expect(drift(folder, FILES)).toEqual(["a.json is not what the code says", "sql/old.sql has no source any more"]);
});

it("writing removes what nobody writes any more, and leaves what is as it should be", () => {
  mkdirSync(join(folder, "old"), { recursive: true });
  writeFileSync(join(folder, "old/c.sql"), "");
  write(folder, FILES);
  expect(drift(folder, FILES)).toEqual([]);
  expect(readdirSync(join(folder, "old"))).toEqual([]);
});
