import type { LocalServer } from "../server.ts";
import { engineOfTests } from "./contract/engine.ts";
import { messageContract } from "./contract/messages.ts";
import { pushContract } from "./contract/push.ts";
import { resourceContract } from "./contract/resources.ts";
import { restContract } from "./contract/rest.ts";

/** What any Pub/Sub that the service runs on must do, as the real client sees it. `start` gives an empty one. */
export function pubSubContract(start: (options: { readonly project: string }) => Promise<LocalServer>): void {
  const engine = engineOfTests(start);
  resourceContract(engine);
  messageContract(engine);
  pushContract(engine);
  restContract(engine);
}
