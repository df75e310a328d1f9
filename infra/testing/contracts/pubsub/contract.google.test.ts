import { describe } from "vitest";
import { startGooglePubSub } from "../../../local/google/pubsub.ts";
import { pubSubContract } from "./contract.ts";

describe("Google's Pub/Sub emulator", () => pubSubContract(startGooglePubSub));
