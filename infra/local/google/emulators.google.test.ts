import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { describe, expect, it, vi } from "vitest";
import { findGoogleFirestore } from "./find.ts";
import { firestoreCommand } from "./firestore.ts";
import { startEmulator } from "./process.ts";

const ask = (address: string) =>
  fetch(`http://${address}/`).then(
    ({ status }) => status,
    () => "nobody",
  );

describe("Google's emulators", () => {
  it.each([
    ["Firestore", "firestore.ts", "startGoogleFirestore"],
    ["Pub/Sub", "pubsub.ts", "startGooglePubSub"],
  ])(
    "%s starts whatever its folder is called, and exits when its parent is killed with SIGKILL",
    { timeout: 120_000 },
    async (_name, file, start) => {
      const folder = mkdtempSync(join(tmpdir(), "populus-mõõtmised-"));
      const code = `
      const { ${start} } = await import(${JSON.stringify(new URL(file, import.meta.url).href)});
      console.log((await ${start}({ project: "demo-killed" })).address);
    `;
      const parent = spawn(process.execPath, ["--input-type=module", "-e", code], {
        cwd: folder,
        // Of this locale Java takes ASCII from the names of files, and nothing else.
        env: { ...process.env, LC_ALL: "C" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [address] = await once(createInterface(parent.stdout), "line");
      expect(await ask(address)).toBe(200);
      parent.kill("SIGKILL");
      await vi.waitFor(async () => expect(await ask(address)).toBe("nobody"), { timeout: 60_000, interval: 50 });
      rmSync(folder, { recursive: true });
    },
  );

  it("start with the classes that a former one has archived", { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "populus-archive-"));
    const found = await findGoogleFirestore();
    if (!found.found) throw new Error(found.missing);
    const log = join(folder, "classes.log");
    const start = () =>
      startEmulator({
        name: "Firestore",
        command: (port) => firestoreCommand(found, { project: "demo-archived", port, jvmOptions: [`-Xlog:class+load:file=${log}`] }),
        classes: { name: "firestore", files: [found.jar], folder },
      });
    const loadedFrom = (source: string): number =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line.includes("com.google.") && line.includes(source)).length;
    await (await start()).closeWithArchive();
    expect(loadedFrom("source: shared objects file")).toBe(0);
    const second = await start();
    expect(loadedFrom("source: shared objects file")).toBeGreaterThan(loadedFrom("source: jar") + loadedFrom("source: file:"));
    await second.close();
    rmSync(folder, { recursive: true });
  });
});
