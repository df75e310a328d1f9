import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/emulators/", import.meta.url));
/** Marks a file that a JVM writes. */
const WRITING = ".writing-";
/** What JVMs that were killed while they wrote have left is removed after this time. */
const ABANDONED_MS = 3_600_000;

/**
 * The archive of an emulator's classes, parsed and verified, which a JVM writes when it ends and later ones map into their memory: they start in
 * half the time. A JVM checks that an archive is of its own build and of these jars, and does without it otherwise.
 * Source: https://openjdk.org/jeps/350.
 */
export interface ClassArchive {
  /** The JVM's option: to use the archive, or to write it. */
  readonly option: string;
  /** Keeps what the JVM has written. Absent if there was an archive already. */
  readonly keep?: () => void;
}

interface Archived {
  /** The emulator, as a part of a file's name. */
  readonly name: string;
  /** The files that the classes come from: Java itself and jars. */
  readonly files: readonly string[];
  /** Other options of the JVM. */
  readonly options: string;
  readonly folder?: string;
}

/** Returns the archive for these files as they are now. Undefined if it cannot be kept, for example because the folder cannot be written. */
export function classArchive({ name, files, options, folder = FOLDER }: Archived): ClassArchive | undefined {
  try {
    const hash = createHash("sha256").update(options);
    for (const file of files) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`\n${file} ${size} ${mtimeMs}`);
    }
    const archive = join(folder, `${name}-${hash.digest("hex").slice(0, 16)}.jsa`);
    if (existsSync(archive)) return { option: `-XX:SharedArchiveFile="${archive}"` };
    mkdirSync(folder, { recursive: true });
    for (const other of readdirSync(folder)) if (other.includes(WRITING)) removeAbandoned(join(folder, other));
    const written = `${archive}${WRITING}${randomUUID()}`;
    return { option: `-XX:ArchiveClassesAtExit="${written}"`, keep: () => keep(written, archive, { name, folder }) };
  } catch {
    return undefined;
  }
}

/** Puts an archive in the place of the emulator's former ones, which other files belonged to. Java without such archives has written none. */
function keep(written: string, archive: string, { name, folder }: { readonly name: string; readonly folder: string }): void {
  if (!existsSync(written)) return;
  renameSync(written, archive);
  const isFormer = (other: string): boolean => other.startsWith(`${name}-`) && other.endsWith(".jsa") && join(folder, other) !== archive;
  for (const other of readdirSync(folder)) if (isFormer(other)) rmSync(join(folder, other), { force: true });
}

function removeAbandoned(file: string): void {
  if (statSync(file).mtimeMs < Date.now() - ABANDONED_MS) rmSync(file, { force: true });
}
