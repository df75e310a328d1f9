import { describe } from "vitest";
import { pubSubContract } from "./contract.ts";
import { startPubSub } from "./server.ts";

describe("the embedded Pub/Sub", () => pubSubContract(() => startPubSub()));
