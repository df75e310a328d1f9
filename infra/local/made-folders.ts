import { existsSync, rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** A folder that does not exist yet, and its parents that do not either, from it upwards. */
interface FolderToMake {
  readonly folder: string;
  readonly parents: readonly string[];
}

/** Returns those of the folders that a start is about to make. */
export function foldersToMake(folders: readonly (string | undefined)[]): FolderToMake[] {
  return folders.flatMap((folder) => {
    if (folder === undefined || existsSync(folder)) return [];
    const parents: string[] = [];
    for (let parent = dirname(folder); !existsSync(parent); parent = dirname(parent)) parents.push(parent);
    return [{ folder, parents }];
  });
}

/** Removes the folders with all that is in them, and those of their parents in which nothing else is. */
export function removeFolders(made: readonly FolderToMake[]): void {
  for (const { folder, parents } of made) {
    rmSync(folder, { recursive: true, force: true });
    try {
      for (const parent of parents) rmdirSync(parent);
    } catch {
      // Something else is in it, or it was never made.
    }
  }
}
