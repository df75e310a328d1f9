import { afterAll, beforeAll, describe, it } from "vitest";
import { startGoogleFirestore } from "../google/firestore.ts";
import { connectEngine } from "./contract/engine.ts";
import { contract } from "./contract.ts";

describe("Google's Firestore emulator", () => {
  let connected: ReturnType<typeof connectEngine>;

  beforeAll(async () => {
    connected = connectEngine(await startGoogleFirestore({ project: "demo-contract" }), "demo-contract");
  });

  afterAll(() => connected.end());

  it.each(contract)("$name", { timeout: 120_000 }, ({ run }) => run(connected.engine));
});
