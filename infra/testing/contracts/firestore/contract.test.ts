import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { startFirestore } from "../../../local/firestore/start.ts";
import { contract } from "./contract.ts";
import { connectEngine } from "./engine.ts";

describe.each([
  ["the embedded Firestore", false],
  ["the embedded Firestore with a data folder", true],
])("%s", (_, kept) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "contract-firestore-"));
  let connected: ReturnType<typeof connectEngine>;

  beforeAll(async () => {
    connected = connectEngine(await startFirestore({ project: "demo-contract", ...(kept && { dataDirectory }) }), "demo-contract");
  });

  afterAll(async () => {
    await connected.end();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  it.each(contract)("$name", ({ run }) => run(connected.engine));
});
