import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as v from "valibot";
import { expect, it } from "vitest";
import { endChild, startChild } from "./child.ts";

/** How long the child may take to send, on a busy machine. */
const SENT_WITHIN_MS = 60_000;

it("a message that a child sends right after it is ready is its next one, even if both are read at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "populus-child-"));
  const [program, sent] = [join(folder, "child.mjs"), join(folder, "sent")];
  const texts = [{ ready: true }, { next: true }].map((message) => `process.send(${JSON.stringify(message)});`);
  const lines = [`import { writeFileSync } from "node:fs";`, ...texts, `writeFileSync(${JSON.stringify(sent)}, "");`];
  writeFileSync(program, [...lines, "setInterval(() => undefined, 1000);"].join("\n"));
  const starting = startChild({
    file: pathToFileURL(program).href,
    env: process.env,
    logFile: join(folder, "log"),
    ready: v.object({ ready: v.literal(true) }),
  });
  // Blocks this process until both are sent.
  for (const until = Date.now() + SENT_WITHIN_MS; !existsSync(sent) && Date.now() < until; );
  const child = await starting;
  expect(await child.next).toEqual({ next: true });
  await endChild(child.process);
  rmSync(folder, { recursive: true });
});
