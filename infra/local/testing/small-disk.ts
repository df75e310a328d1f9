import { spawnSync } from "node:child_process";
import { statfsSync, writeFileSync } from "node:fs";

/** Puts a small disk of its own at a folder. False where this machine does not let us (it takes root). */
export function mountSmallDisk(folder: string, mebibytes: number): boolean {
  return spawnSync("bash", ["-c", `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0"`, folder]).status === 0;
}

/** Takes it away again, also while a process that is about to end still uses it. */
export function unmount(folder: string): void {
  spawnSync("bash", ["-c", 'umount -l "$0"', folder]);
}

/** Writes a file that takes what is left of a disk. */
export function fillDisk(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}
