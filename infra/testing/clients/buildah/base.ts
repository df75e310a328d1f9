import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cached } from "../tools/cache-folder.ts";
import { installedOnce } from "../tools/installed-once.ts";
import { mustRun } from "../tools/run-program.ts";

const DOCKERFILE = new URL("../../../../scripts/image/Dockerfile", import.meta.url);
const MAKES_WITHIN_SECONDS = 600;
/** What the Dockerfile removes from its base is in this one, too. */
const REMOVED = ["usr/local/lib/node_modules/npm", "opt/yarn-v1"];

/**
 * A file system like that of the Dockerfile's base, as a tar: the same release of Debian from its packages, and the Node.js that runs this, whose version
 * is the same. So the image can be built where no registry of images can be asked.
 */
export const base = installedOnce(async () => {
  const [, version = "", release = ""] = /^FROM node:([\d.]+)-(\w+)-slim@/m.exec(readFileSync(DOCKERFILE, "utf8")) ?? [];
  if (process.version !== `v${version}`) throw new Error(`the Dockerfile's Node.js is ${version}, this is ${process.version}`);
  if (process.getuid?.() !== 0) throw new Error("only root may make the file system of an image");
  for (const program of ["buildah", "debootstrap"])
    await mustRun(program, ["--version"], { folder: tmpdir() }).catch(() => {
      throw new Error(`${program} is not installed`);
    });
  const folder = await cached(`image-base-${release}-${version}`, async (made) => {
    const root = join(made, "root");
    const run = (program: string, ...args: readonly string[]) => mustRun(program, args, { folder: made, secondsMax: MAKES_WITHIN_SECONDS });
    await run("debootstrap", "--variant=minbase", release, root);
    await run("chroot", root, "useradd", "--create-home", "--uid=1000", "node");
    cpSync(process.execPath, join(root, "usr/local/bin/node"));
    for (const path of REMOVED) mkdirSync(join(root, path), { recursive: true });
    await run("tar", "-C", root, "-cf", "base.tar", ".");
    rmSync(root, { recursive: true });
  });
  return join(folder, "base.tar");
});
