import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentsOnDisk } from "../testing/documents-on-disk.ts";
import { Interrupted } from "./child.ts";
import { readIfThere } from "./durable-file.ts";
import { parseOptions } from "./options.ts";
import { type RunningService, startService } from "./service.ts";

let root: string;
let controller: AbortController;
/** The processes that this one has started before. */
let before: readonly string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "populus-interrupted-"));
  controller = new AbortController();
  before = children();
});

afterEach(() => rmSync(root, { recursive: true }));

/** The services that run in processes of this one. */
function children(): string[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => /\/infra\/local\/(cloud|functions)\.ts/.test(line));
}

/** The data folder, which a start makes, and its parent too. */
const data = (): string => join(root, "new", "data");

/** Starts a service in folders that are not there yet, and stops it if the start is not interrupted. */
async function start(say: (line: string) => void): Promise<string> {
  const folders = ["--state", join(root, "new", "state"), "--data", data()];
  const options = parseOptions([...folders, "--port", "0", "--days", "1", "--no-schedule"]);
  let service: RunningService;
  try {
    service = await startService(options, say, { signal: controller.signal });
  } catch (error) {
    return error instanceof Interrupted ? "interrupted" : String(error);
  }
  await service.stop();
  return "ready";
}

function whatIsLeft() {
  return { files: readdirSync(root), processes: children().filter((child) => !before.includes(child)) };
}

const LINES = [
  "Starting the local cloud",
  "Engines: Firestore embedded",
  "Starting the functions",
  "Preparing the sample customers",
  "Preparing their datasets and a monitored map",
];

it("a start says each of its steps", async () => {
  const lines: string[] = [];
  expect(await start((line) => lines.push(line))).toBe("ready");
  expect(lines).toEqual(LINES.map((words) => expect.stringContaining(words)));
});

describe("a start that is interrupted", () => {
  it.each(LINES)("when it says %j leaves no process and no folder", async (words) => {
    const started = start((line) => line.startsWith(words) && controller.abort());
    expect([await started, whatIsLeft()]).toEqual(["interrupted", { files: [], processes: [] }]);
  });

  it.each<[what: string, isTime: () => boolean]>([
    ["has created a service account", () => readIfThere(join(data(), "iam", "accounts.json"))?.includes("warehouse-") === true],
    ["has drawn the map", () => documentsOnDisk(data(), /documents\/maps\/\w+/g) > 0],
  ])("when it %s leaves no process and no folder", async (_what, isTime) => {
    let isOver = false;
    const started = start(() => undefined).finally(() => {
      isOver = true;
    });
    while (!isOver && !isTime()) await turn();
    controller.abort();
    expect([await started, whatIsLeft()]).toEqual(["interrupted", { files: [], processes: [] }]);
  });
});
