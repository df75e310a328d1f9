import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { classArchive } from "./class-archive.ts";
import { startEmulator } from "./process.ts";

let root: string;
let jar: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "populus archive-"));
  jar = join(root, "emulator.jar");
  writeFileSync(jar, "classes");
  folder = join(root, "cache", "emulators");
});

afterEach(() => rmSync(root, { recursive: true }));

const archives = (): string[] => readdirSync(folder).sort();

/** Like a JVM with an emulator: it says its options, and at its end writes the archive that they name. It exits with this code. */
const JVM = `
  const { writeFileSync } = require("node:fs");
  const options = process.env.JAVA_TOOL_OPTIONS;
  process.on("SIGTERM", () => {
    const [, file] = /-XX:ArchiveClassesAtExit="(.*?)"/.exec(options) ?? [];
    if (file) writeFileSync(file, "archive");
    process.exit(Number(process.argv[2]));
  });
  require("node:http").createServer((_, response) => response.end(options)).listen(process.argv[1], "127.0.0.1");
`;

const start = (code = 143) =>
  startEmulator({
    name: "fake",
    command: (port) => [process.execPath, "-e", JVM, String(port), String(code)],
    classes: { name: "fake", files: [jar], folder },
  });

async function optionsOf({ address }: { readonly address: string }): Promise<string> {
  return (await fetch(`http://${address}/`)).text();
}

describe("the archive of an emulator's classes", () => {
  it("is written when an emulator ends that had none, and used by the next, which writes none", async () => {
    const first = await start();
    expect(await optionsOf(first)).toContain("-XX:ArchiveClassesAtExit=");
    await first.closeWithArchive();
    const [archive = ""] = archives();
    expect(archives()).toEqual([expect.stringMatching(/^fake-[0-9a-f]{16}\.jsa$/)]);
    const second = await start();
    expect(await optionsOf(second)).toContain(`-XX:SharedArchiveFile="${join(folder, archive)}"`);
    await second.closeWithArchive();
    expect(archives()).toEqual([archive]);
    expect(readFileSync(join(folder, archive), "utf8")).toBe("archive");
  });

  it("is not kept of an emulator that fails at its end, or is closed without one", async () => {
    await (await start(1)).closeWithArchive();
    await (await start()).close();
    expect(archives().filter((name) => name.endsWith(".jsa"))).toEqual([]);
  });

  it("is another one when a jar or the options change, and takes the place of the former", async () => {
    await (await start()).closeWithArchive();
    const [former = ""] = archives();
    utimesSync(jar, new Date(0), new Date(0));
    await (await start()).closeWithArchive();
    const [later] = archives();
    expect(archives()).toHaveLength(1);
    expect(later).not.toBe(former);
    const [one, other] = ["-Xmx1g", "-Xmx2g"].map((options) => classArchive({ name: "fake", files: [jar], options, folder })?.option);
    expect(one?.split(".writing")[0]).not.toBe(other?.split(".writing")[0]);
  });

  it("is done without where it cannot be kept: of files that are not there, or in a folder that cannot be made", () => {
    mkdirSync(join(root, "cache"));
    writeFileSync(folder, "not a folder");
    expect(classArchive({ name: "fake", files: [jar], options: "", folder })).toBeUndefined();
    expect(classArchive({ name: "fake", files: [join(root, "gone.jar")], options: "", folder: join(root, "other") })).toBeUndefined();
  });

  it("that a killed JVM left half written is removed an hour later", () => {
    mkdirSync(folder, { recursive: true });
    const [old, young] = [join(folder, "fake-0.jsa.writing-1"), join(folder, "fake-0.jsa.writing-2")];
    for (const file of [old, young]) writeFileSync(file, "half");
    utimesSync(old, new Date(0), new Date(0));
    classArchive({ name: "fake", files: [jar], options: "", folder });
    expect(archives()).toEqual(["fake-0.jsa.writing-2"]);
  });
});
