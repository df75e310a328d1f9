import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import * as v from "valibot";
import { cached } from "../clients/tools/cache-folder.ts";

/** What the package adds for servers without a browser's rights. The tests must see CORS and the content security policy work. */
const DROPPED = /^--(headless|disable-web-security|single-process|allow-running-insecure-content)\b/;

/** Starts a browser: the Chromium of CHROMIUM, or else the one that comes in a package, with WebGL drawn by the processor. */
export async function openBrowser(): Promise<Browser> {
  const own = process.env.CHROMIUM;
  if (own !== undefined) return chromium.launch({ executablePath: own, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
  const folder = await unpackedFolder();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    packaged.setGraphicsMode = true;
    const args = packaged.args.filter((arg) => !DROPPED.test(arg));
    return await chromium.launch({ executablePath: await packaged.executablePath(), args });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/**
 * Returns the folder of the user's cache with the unpacked Chromium of the installed version. The package takes whatever is in the temporary folder
 * already, also a Chromium of another version or user, or a half-unpacked one: so each version has a folder of its own, which appears whole.
 */
function unpackedFolder(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest = entry.slice(0, entry.indexOf("/build/"));
  const { version } = v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(join(manifest, "package.json"), "utf8")));
  const program = `import packaged from "@sparticuz/chromium"; packaged.setGraphicsMode = true; await packaged.executablePath();`;
  return cached(`chromium-${version}`, async (unpacking) => {
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: dirname(fileURLToPath(import.meta.url)),
      env: { ...process.env, TMPDIR: unpacking },
    });
  });
}
