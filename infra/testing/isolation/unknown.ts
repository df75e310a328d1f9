import { send } from "../fuzz/wire.ts";
import { accountCalls, NO_CUSTOMER } from "./account-moves.ts";
import { jobCalls, NO_JOB } from "./job-moves.ts";
import { foreignMapCalls, NO_MAP } from "./map-moves.ts";
import { membersOf, type Turn } from "./move.ts";

/** Returns each operation's `detail` for an unknown id. For another customer's id it must be the same text. */
export async function detailsOfUnknown(turn: Pick<Turn, "target" | "me">): Promise<ReadonlyMap<string, string>> {
  const calls = [...foreignMapCalls(turn, NO_MAP), ...jobCalls(turn, NO_JOB), ...accountCalls(turn, NO_CUSTOMER, "x")];
  const details = new Map<string, string>();
  for (const [operation, request] of calls) {
    const answer = await send(request);
    if (answer.status !== 404) throw new Error(`${operation} returns ${answer.status} for an unknown id`);
    details.set(operation, String(membersOf(answer).detail));
  }
  return details;
}
