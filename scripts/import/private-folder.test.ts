import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ImportError } from "./import-error.ts";
import { makePrivateFolder } from "./private-folder.ts";

function parentFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), "populus-private-"));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

/** Starts a process that makes a folder with rows in it. Resolves when it is there. */
async function anotherImport(parent: string) {
  const program = `import { writeFileSync } from "node:fs";
    const { makePrivateFolder } = await import(${JSON.stringify(new URL("private-folder.ts", import.meta.url).href)});
    const { path } = await makePrivateFolder(${JSON.stringify(parent)});
    writeFileSync(path + "/rows.parquet", "rows");
    process.stdout.write(path);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [path] = await once(child.stdout, "data");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { path: String(path), kill };
}

test("the folder of an import that was killed is removed by the next one, and never that of a running one", async () => {
  const parent = parentFolder();
  const other = await anotherImport(parent);
  const first = await makePrivateFolder(parent);
  expect(readdirSync(other.path)).toContain("rows.parquet");
  await other.kill();
  expect(existsSync(other.path)).toBe(true);
  const second = await makePrivateFolder(parent);
  expect(existsSync(other.path)).toBe(false);
  expect(existsSync(first.path)).toBe(true);
  for (const { remove } of [first, second]) remove();
  expect(readdirSync(parent)).toEqual([]);
});

test("a folder without a socket is removed after a day, and others of the parent never", async () => {
  const parent = parentFolder();
  const old = new Date("2026-01-01T00:00:00Z");
  const names = ["populus-import-aaaaaa", "populus-import-bbbbbb", "populus-import-test-cccccc", "another"];
  for (const name of names) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "rows.parquet"), "rows");
    for (const path of [join(parent, name, "rows.parquet"), join(parent, name)]) utimesSync(path, old, old);
  }
  writeFileSync(join(parent, "populus-import-bbbbbb", "rows.parquet"), "a row more");
  const { path, remove } = await makePrivateFolder(parent);
  const left = ["another", "populus-import-bbbbbb", "populus-import-test-cccccc"];
  expect(readdirSync(parent).filter((name) => join(parent, name) !== path)).toEqual(left);
  remove();
});

test("where no folder can be made, the import says what is wrong with the place and what to do", async () => {
  const parent = parentFolder();
  const file = join(parent, "file");
  writeFileSync(file, "");
  const todo = "Name a folder that you can write to by the variable TMPDIR, and import the file again";
  for (const [place, fault] of [
    [join(parent, "none"), "does not exist"],
    [file, "is not a folder"],
    [join(parent, "x".repeat(300)), "cannot be written to"],
  ] as const) {
    const says = `${place}, the folder for temporary files, ${fault}: an import has the rows of its file there until it ends. ${todo}`;
    await expect(makePrivateFolder(place)).rejects.toThrow(new ImportError(says));
  }
});
