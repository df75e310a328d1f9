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

it("a written folder has no drift and holds the given content", () => {
  write(folder, FILES);
  expect(drift(folder, FILES)).toEqual([]);
  expect(readFileSync(join(folder, "sql/b.sql"), "utf8")).toBe("SELECT 1\n");
});

it("a missing, changed or unknown file is drift", () => {
  expect(drift(folder, FILES)).toEqual(["a.json is out of date", "sql/b.sql is out of date"]);
  write(folder, FILES);
  writeFileSync(join(folder, "a.json"), "{ }\n");
  writeFileSync(join(folder, "sql/old.sql"), "");
  expect(drift(folder, FILES)).toEqual(["a.json is out of date", "sql/old.sql is no longer generated"]);
});

it("writing removes unknown files", () => {
  mkdirSync(join(folder, "old"), { recursive: true });
  writeFileSync(join(folder, "old/c.sql"), "");
  write(folder, FILES);
  expect(drift(folder, FILES)).toEqual([]);
  expect(readdirSync(join(folder, "old"))).toEqual([]);
});
