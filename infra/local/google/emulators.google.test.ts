import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { describe, expect, it, vi } from "vitest";

const ask = (address: string) =>
  fetch(`http://${address}/`).then(
    ({ status }) => status,
    () => "nobody",
  );

describe("Google's emulators", () => {
  it.each([
    ["Firestore", "firestore.ts", "startGoogleFirestore"],
    ["Pub/Sub", "pubsub.ts", "startGooglePubSub"],
  ])("%s starts, and exits when its parent is killed with SIGKILL", { timeout: 120_000 }, async (_name, file, start) => {
    const code = `
      const { ${start} } = await import(${JSON.stringify(new URL(file, import.meta.url).href)});
      console.log((await ${start}({ project: "demo-killed" })).address);
    `;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    const [address] = await once(createInterface(parent.stdout), "line");
    expect(await ask(address)).toBe(200);
    parent.kill("SIGKILL");
    await vi.waitFor(async () => expect(await ask(address)).toBe("nobody"), { timeout: 10_000, interval: 50 });
  });
});
