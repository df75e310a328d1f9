import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { startPubSub } from "../../../local/pubsub/server.ts";
import { pubSubContract } from "./contract.ts";

describe("the embedded Pub/Sub", () => pubSubContract(() => startPubSub()));

describe("the embedded Pub/Sub with a data folder", () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "contract-pubsub-"));
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));
  pubSubContract(() => startPubSub({ dataDirectory }));
});
