import { send } from "../wire.ts";
import { accountCalls, NO_CUSTOMER } from "./account-moves.ts";
import { jobCalls, NO_JOB } from "./job-moves.ts";
import { foreignMapCalls, NO_MAP } from "./map-moves.ts";
import { membersOf, type Turn } from "./move.ts";

/** What each operation says of an id that is nothing's: what is another's has to be told in the same words. */
export async function detailsOfUnknown(turn: Pick<Turn, "target" | "me">): Promise<ReadonlyMap<string, string>> {
  const calls = [...foreignMapCalls(turn, NO_MAP), ...jobCalls(turn, NO_JOB), ...accountCalls(turn, NO_CUSTOMER, "x")];
  const details = new Map<string, string>();
  for (const [operation, request] of calls) {
    const answer = await send(request);
    if (answer.status !== 404) throw new Error(`${operation} answers ${answer.status} for what does not exist`);
    details.set(operation, String(membersOf(answer).detail));
  }
  return details;
}
