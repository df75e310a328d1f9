import { spawnSync } from "node:child_process";
import { statfsSync, writeFileSync } from "node:fs";

/** Mounts a small disk at a folder. Returns false where that is not permitted (it needs root). */
export function mountSmallDisk(folder: string, mebibytes: number): boolean {
  return spawnSync("bash", ["-c", `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0"`, folder]).status === 0;
}

/** Unmounts the disk, even while a process that is about to end still uses it. */
export function unmount(folder: string): void {
  spawnSync("bash", ["-c", 'umount -l "$0"', folder]);
}

/** Fills the rest of a disk with a file. */
export function fillDisk(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
}
