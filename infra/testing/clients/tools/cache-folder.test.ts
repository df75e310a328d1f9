import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cached } from "./cache-folder.ts";

const before = process.env.XDG_CACHE_HOME;
let cache: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "populus-cache-"));
  process.env.XDG_CACHE_HOME = cache;
});

afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
  rmSync(cache, { recursive: true });
});

/** Fills a folder, and counts how often. */
function filler() {
  const filled: string[] = [];
  const fill = async (folder: string): Promise<void> => {
    filled.push(folder);
    await new Promise(setImmediate);
    writeFileSync(join(folder, "content"), "whole");
  };
  return { filled, fill };
}

const entries = () => readdirSync(join(cache, "populus-clients"));

it("a folder of the cache is filled once, and whoever comes meanwhile waits for it", async () => {
  const { filled, fill } = filler();
  const folders = await Promise.all([cached("tool", fill), cached("tool", fill), cached("tool", fill)]);
  expect([filled.length, new Set(folders).size, entries()]).toEqual([1, 1, ["tool"]]);
  expect(readFileSync(join(folders[0] ?? "", "content"), "utf8")).toBe("whole");
});

it("what fails leaves nothing, and is tried again by the next", async () => {
  await expect(cached("tool", () => Promise.reject(new Error("no network")))).rejects.toThrow("no network");
  expect(entries()).toEqual([]);
  expect(existsSync(await cached("tool", filler().fill))).toBe(true);
});

it("nobody waits for a process that has ended", async () => {
  const { pid } = spawnSync(process.execPath, ["--eval", ""]);
  const folder = await cached("other", filler().fill);
  writeFileSync(join(folder, "..", "tool.lock"), String(pid));
  await cached("tool", filler().fill);
  expect(entries().sort()).toEqual(["other", "tool"]);
});
