import { join } from "node:path";
import * as v from "valibot";
import { mustRun } from "../tools/run-program.ts";

const Inspected = v.object({
  OCIv1: v.object({ config: v.object({ User: v.optional(v.string(), "root"), WorkingDir: v.string(), Env: v.array(v.string()) }) }),
});
/** What the base of the Dockerfile sets. */
const PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const BUILDS_WITHIN_SECONDS = 600;

/** An image that was built, and its file system. */
export interface BuiltImage {
  /** What the build printed. */
  readonly log: string;
  /** Returns the command that runs a program of the image as its user, in its folder and with its variables. */
  inside(...command: readonly string[]): string[];
  remove(): Promise<void>;
}

/**
 * Builds an image by a folder's Dockerfile, on a file system in place of its base.
 * @param base a tar
 * @param folder an empty one, for Buildah's storage
 */
export async function buildImage(context: string, base: string, folder: string): Promise<BuiltImage> {
  const storage = [`--root=${join(folder, "storage")}`, `--runroot=${join(folder, "run")}`, "--storage-driver=vfs"];
  const run = (...args: readonly string[]) => mustRun("buildah", [...storage, ...args], { folder, secondsMax: BUILDS_WITHIN_SECONDS });
  /** Returns what a command names: a container, or a folder. */
  const buildah = async (...args: readonly string[]): Promise<string> => (await run(...args)).stdout.trim();
  const empty = await buildah("from", "scratch");
  await buildah("add", "--quiet", empty, base, "/");
  await buildah("config", `--env=${PATH}`, empty);
  await buildah("commit", "--quiet", "--rm", empty, "localhost/base");
  const from = ["--pull=false", "--from=localhost/base"];
  const { stdout, stderr } = await run("build", "--isolation=chroot", ...from, "--tag=localhost/functions", context);
  const { User, WorkingDir, Env } = v.parse(Inspected, JSON.parse(await buildah("inspect", "--type=image", "localhost/functions"))).OCIv1
    .config;
  const root = await buildah("mount", await buildah("from", "--pull=false", "localhost/functions"));
  return {
    log: `${stdout}${stderr}`.trim(),
    inside: (...command) => ["chroot", `--userspec=${User}:${User}`, root, "/usr/bin/env", `--chdir=${WorkingDir}`, ...Env, ...command],
    remove: async () => {
      await buildah("umount", "--all");
    },
  };
}
