import { afterAll, beforeAll, describe, it } from "vitest";
import { startGoogleFirestore } from "../../../local/google/firestore.ts";
import { contract } from "./contract.ts";
import { connectEngine } from "./engine.ts";

describe("Google's Firestore emulator", () => {
  let connected: ReturnType<typeof connectEngine>;

  beforeAll(async () => {
    connected = connectEngine(await startGoogleFirestore({ project: "demo-contract" }), "demo-contract");
  });

  afterAll(() => connected.end());

  it.each(contract)("$name", ({ run }) => run(connected.engine));
});
