import { afterAll, beforeAll, describe, it } from "vitest";
import { connectEngine } from "./contract/engine.ts";
import { contract } from "./contract.ts";
import { startFirestore } from "./start.ts";

describe("the embedded Firestore", () => {
  let connected: ReturnType<typeof connectEngine>;

  beforeAll(async () => {
    connected = connectEngine(await startFirestore({ project: "demo-contract" }), "demo-contract");
  });

  afterAll(() => connected.end());

  it.each(contract)("$name", ({ run }) => run(connected.engine));
});
