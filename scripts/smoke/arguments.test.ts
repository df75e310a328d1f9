import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readArguments } from "./arguments.ts";

const folder = mkdtempSync(join(tmpdir(), "populus-smoke-"));
afterAll(() => rmSync(folder, { recursive: true }));
const outputs = join(folder, "outputs.json");
writeFileSync(outputs, JSON.stringify({ base_urls: { users: "https://users.example.com/", data: "https://data.example.com" } }));
const other = join(folder, "package.json");
writeFileSync(other, "{}");

const URLS = ["--users", "https://users.example.com", "--data", "https://data.example.com"];

describe("the arguments of npm run smoke", () => {
  it("are the two base URLs, or the file that has them", () => {
    const bases = { users: "https://users.example.com", data: "https://data.example.com" };
    for (const args of [URLS, ["--outputs", outputs]]) expect(readArguments(args, "")).toMatchObject({ bases, key: undefined });
  });

  it.each([
    [["--users", "users.example.com", "--data", "x"], '--users: "users.example.com" is no URL of HTTP, such as https://users.example.com'],
    [["--users", "https://users.example.com"], "The base URLs of both APIs are required"],
    [[...URLS, "--outputs", outputs], "--outputs has both base URLs: omit --users and --data"],
    [[...URLS, "--candidate"], "--candidate requires --outputs"],
    [[...URLS, "--objects", "https://storage.example.com"], "--objects requires --journey"],
    [["--outputs", outputs, "--candidate"], `${outputs} has no candidate_base_urls: set candidate_hosts`],
    [["--outputs", other], `--outputs ${other} is not what terraform output -json environment prints`],
    [["--outputs", join(folder, "nowhere")], `ENOENT: no such file or directory, open '${join(folder, "nowhere")}'`],
    [[...URLS, "--journey"], "--journey needs the key SMOKE_KEY"],
  ])("%j are refused", (args, wrong) => {
    expect(readArguments(args, undefined)).toEqual({ wrong });
  });
});

it.each(["0d5511\nea3c06", "0d5511 ea3c06", "0d5511…"])("the key %j, which no header can hold, is refused without being shown", (key) => {
  const read = readArguments(URLS, key);
  expect(read).toEqual({ wrong: expect.stringContaining("SMOKE_KEY is no key") });
  expect(JSON.stringify(read)).not.toContain("0d5511");
});
