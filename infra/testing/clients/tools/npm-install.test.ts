import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { freePort } from "../../../local/free-port.ts";
import { installFromNpm } from "./npm-install.ts";

const folder = mkdtempSync(join(tmpdir(), "populus-npm-install-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Has npm ask a registry on a port of this machine, with a cache of its own. */
function askRegistry(port: number): Promise<void> {
  vi.stubEnv("npm_config_registry", `http://127.0.0.1:${port}/`);
  vi.stubEnv("npm_config_cache", join(folder, "cache"));
  return installFromNpm(join(folder, "made"), ["left@1.0.0"]);
}

it("an installation without a network ends with one line that says so", async () => {
  await expect(askRegistry(await freePort())).rejects.toThrow(
    /^npm could not install left@1\.0\.0: its registry cannot be reached \(ECONNREFUSED\)$/,
  );
});

it("an installation of what the registry does not have ends with npm's own reason", async () => {
  const server = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await expect(askRegistry(port)).rejects.toThrow(/^npm could not install left@1\.0\.0: 404 Not Found.*$/);
  server.close();
});
