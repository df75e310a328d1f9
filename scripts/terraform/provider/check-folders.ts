import { checkFolder, type FolderResult } from "./check-folder.ts";
import { type FoundProvider, findProvider } from "./find-provider.ts";
import { copyTerraform, terraformFolders } from "./working-copy.ts";

/** As many as a small machine has processors: Terraform keeps one busy. */
const AT_A_TIME = 2;

/** What a provider found in the project's Terraform, or why there is none. */
export type ProviderRun = { readonly title: string; readonly results: readonly FolderResult[] } | { readonly missing: string };

/**
 * Validates and tests folders of a project's Terraform with Google's provider, or with its schema where it is not on this machine.
 * @param project the project's folder
 * @param wanted says which folders; the largest come first
 * @param onResult is told of each folder when it is done
 * @param find finds the provider, given a copy of the project's Terraform
 */
export async function checkFolders(
  project: string,
  wanted: (folder: string) => boolean,
  onResult: (result: FolderResult) => void = () => undefined,
  find: typeof findProvider = findProvider,
): Promise<ProviderRun> {
  const copy = copyTerraform(project);
  let provider: FoundProvider | undefined;
  try {
    const found = await find(copy.root);
    if ("missing" in found) return found;
    provider = found;
    const folders = terraformFolders(copy.root)
      .filter(({ folder }) => wanted(folder))
      .sort((a, b) => size(b.folder) - size(a.folder));
    const results: FolderResult[] = [];
    const next = folders[Symbol.iterator]();
    const work = async (): Promise<void> => {
      for (const folder of next) {
        const result = await checkFolder(copy.root, folder, found);
        onResult(result);
        results.push(result);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return { title: found.title, results: results.sort((a, b) => a.folder.localeCompare(b.folder)) };
  } finally {
    provider?.close();
    copy.remove();
  }
}

function size(folder: string): number {
  return folder.startsWith("terraform/environments/") ? 1 : 0;
}
