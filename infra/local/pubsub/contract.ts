import type { LocalServer } from "../server.ts";
import { engineOfTests } from "./contract/engine.ts";
import { messageContract } from "./contract/messages.ts";
import { pushContract } from "./contract/push.ts";
import { resourceContract } from "./contract/resources.ts";
import { restContract } from "./contract/rest.ts";

/** The behavior that the service needs from any Pub/Sub, tested with the real client. `start` starts an empty one. */
export function pubSubContract(start: (options: { readonly project: string }) => Promise<LocalServer>): void {
  const engine = engineOfTests(start);
  resourceContract(engine);
  messageContract(engine);
  pushContract(engine);
  restContract(engine);
}
