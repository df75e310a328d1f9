import type { LocalServer } from "../../../local/server.ts";
import { engineOfTests } from "./engine.ts";
import { messageContract } from "./messages.ts";
import { pushContract } from "./push.ts";
import { resourceContract } from "./resources.ts";
import { restContract } from "./rest.ts";

/** The behavior that the service needs from any Pub/Sub, tested with the real client. `start` starts an empty one. */
export function pubSubContract(start: (options: { readonly project: string }) => Promise<LocalServer>): void {
  const engine = engineOfTests(start);
  resourceContract(engine);
  messageContract(engine);
  pushContract(engine);
  restContract(engine);
}
