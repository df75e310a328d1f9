import { AsyncLocalStorage } from "node:async_hooks";

/** In how many turns a backlog has begun. A longer one begins several requests a turn, so that a flood does not stay in memory. */
const BACKLOG_TURNS = 250;

/** Shares turns of the event loop between parties, such as customers. */
export interface FairTurns {
  /**
   * Returns undefined if a request of the party may begin now: it is its first one in this turn of the event loop. Otherwise returns a promise
   * that resolves in a later turn, in the order of the calls.
   */
  readonly enter: (party: string) => Promise<void> | undefined;
}

/**
 * Returns fair turns: each party begins one request in a turn of the event loop. A short request takes dozens of turns, since each of its
 * reads takes several. A hundred requests of a flood in each of them would delay it a hundred times as long as one does.
 * Source: J. Nagle, On Packet Switches with Infinite Storage, RFC 970 (1985), on round robin between sources
 * @param nextTurn runs something once in the next turn
 */
export function createFairTurns(nextTurn: (run: () => void) => void = setImmediate): FairTurns {
  /** The parties that have begun a request in this turn, and what of theirs waits. */
  const waiting = new Map<string, (() => void)[]>();
  const runTurn = (): void => {
    for (const [party, own] of waiting) {
      if (own.length === 0) waiting.delete(party);
      for (const begin of own.splice(0, Math.ceil(own.length / BACKLOG_TURNS))) begin();
    }
    if (waiting.size > 0) nextTurn(runTurn);
  };
  return {
    enter: (party) => {
      const own = waiting.get(party);
      if (own) return new Promise((resolve) => own.push(resolve));
      waiting.set(party, []);
      if (waiting.size === 1) nextTurn(runTurn);
      return undefined;
    },
  };
}

/** The turns of this process. */
export const fairTurns: FairTurns = createFairTurns();

const party = new AsyncLocalStorage<string>();

/** Runs work on behalf of a party. */
export function onBehalfOf<Result>(name: string, run: () => Result): Result {
  return party.run(name, run);
}

/** Returns on whose behalf the current work runs; an empty text for the service's own work. */
export function currentParty(): string {
  return party.getStore() ?? "";
}
