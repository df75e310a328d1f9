import { lstatSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "./full-disk.ts";
import { ImportError } from "./import-error.ts";

const PREFIX = "populus-import-";
/** A folder of an import, and not of its tests. */
const NAME = /^populus-import-\w{6}$/;
/** The socket on which an import listens while it runs. The system answers for it, also while the import is busy, and no longer when it was killed. */
const SOCKET = "running";
/** When a folder without a socket counts as left: its file system has no sockets, or an earlier release made it. */
const LEFT_MS = 24 * 3_600_000;

/** A folder of one import, which holds raw rows of a file. Only its owner can read it. */
export interface PrivateFolder {
  readonly path: string;
  /** Removes the folder with all that is in it. The end of the process does so, too. */
  readonly remove: () => void;
}

/**
 * Makes a folder for an import, and removes those of imports that were killed: raw rows must not stay behind. Throws an ImportError if no folder can be
 * made there.
 */
export async function makePrivateFolder(parent = tmpdir()): Promise<PrivateFolder> {
  const path = makeFolder(parent);
  const server = await listen(path);
  const removeAll = (): void => removeFolder(path);
  process.once("exit", removeAll);
  await removeLeftFolders(parent, lstatSync(path).mtimeMs);
  return {
    path,
    remove: () => {
      process.off("exit", removeAll);
      removeAll();
      server?.close();
    },
  };
}

const FAULTS: Readonly<Record<string, string>> = { ENOENT: "does not exist", ENOTDIR: "is not a folder", EROFS: "is read-only" };

function makeFolder(parent: string): string {
  const begin = join(parent, PREFIX);
  try {
    return mkdtempSync(begin);
  } catch (error) {
    const full = fileError(error, begin);
    if (full !== error) throw full;
    const fault = error instanceof Error && "code" in error ? FAULTS[String(error.code)] : undefined;
    throw new ImportError(
      `${parent}, the folder for temporary files, ${fault ?? "cannot be written to"}: an import has the rows of its file there until it ends. Name a folder that you can write to by the variable TMPDIR, and import the file again`,
      { cause: error },
    );
  }
}

/** Removes the folders of this user's imports that run no more. `now` is by the clock of the file system, in milliseconds. */
async function removeLeftFolders(parent: string, now: number): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!NAME.test(name)) continue;
    const path = join(parent, name);
    try {
      const state = lstatSync(path);
      if (!state.isDirectory() || state.uid !== process.getuid?.()) continue;
      if (await isLeft(path, now)) removeFolder(path);
    } catch {
      // Another import was faster, or the folder is not ours to remove.
    }
  }
}

async function isLeft(path: string, now: number): Promise<boolean> {
  if (readdirSync(path).includes(SOCKET)) return !(await answers(join(path, SOCKET)));
  const changed = [path, ...readdirSync(path).map((name) => join(path, name))].map((each) => lstatSync(each).mtimeMs);
  return now - Math.max(...changed) > LEFT_MS;
}

/** The socket goes last: what is interrupted here is known as left. */
function removeFolder(path: string): void {
  try {
    for (const name of readdirSync(path)) if (name !== SOCKET) rmSync(join(path, name), { recursive: true, force: true });
    rmSync(join(path, SOCKET), { force: true });
    rmdirSync(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

/**
 * Listens on the folder's socket. It gets its name once it listens, so that nobody finds it before that. Returns undefined where there can be none:
 * the file system has no sockets, or the path is too long for one.
 */
function listen(folder: string): Promise<Server | undefined> {
  const early = join(folder, "socket");
  const server = createServer((connection) => connection.destroy());
  return new Promise((resolve) => {
    server.once("error", () => resolve(undefined));
    server.listen(early, () => {
      renameSync(early, join(folder, SOCKET));
      resolve(server.unref());
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    connection.once("connect", () => {
      connection.destroy();
      resolve(true);
    });
    connection.once("error", (error) => resolve(!("code" in error) || (error.code !== "ECONNREFUSED" && error.code !== "ENOENT")));
  });
}
