/** A place among the few that run at a time. */
export interface Turn {
  /** Resolves when it begins. */
  readonly begun: Promise<void>;
  /** Ends it, also one that has not begun. */
  readonly end: () => void;
}

/**
 * Returns a function that gives turns to parties, such as customers: so many at a time in this process, to waiting parties in rotation, and to
 * one party in the order of its calls. For work whose data would not all fit into the memory at once.
 */
export function createFewAtOnce(most: number): (party: string) => Turn {
  let running = 0;
  /** How to begin the turns that wait, by party. The first party is next. */
  const waiting = new Map<string, Set<() => void>>();
  const beginNext = (): void => {
    const [next] = waiting;
    if (!next || running >= most) return;
    const [party, turns] = next;
    const [begin] = turns;
    waiting.delete(party);
    if (!begin) return;
    turns.delete(begin);
    if (turns.size > 0) waiting.set(party, turns);
    running += 1;
    begin();
  };
  return (party) => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    let state: "waiting" | "running" | "ended" = "waiting";
    const begin = (): void => {
      state = "running";
      resolve();
    };
    const own = waiting.get(party) ?? new Set();
    waiting.set(party, own.add(begin));
    beginNext();
    return {
      begun,
      end: () => {
        if (state === "waiting" && own.delete(begin) && own.size === 0) waiting.delete(party);
        if (state === "running") running -= 1;
        state = "ended";
        beginNext();
      },
    };
  };
}
