/** How a process ended. After `killed`, none of its code runs, not even catch and finally blocks. */
export type Ending = "done" | "failed" | "killed";

/** The options of one call. */
export interface Manner<T> {
  /** The call does not end before this time, in milliseconds since 1970. */
  readonly notBefore?: number;
  /** Whether the client retries a lost response by itself, as for transactions. The effect then happens twice; the second result counts. */
  readonly mayRepeat?: boolean;
  /** Formats the result for the trace. Default: all of it, truncated. */
  readonly tell?: (result: T) => string;
}

/** Something that runs and can die at any await: a delivery, a request, or a firing of a schedule. */
export interface Process {
  readonly name: string;
  /**
   * Makes one call of a port. The call takes its turn among all pending events, then has its effect atomically, unless it is fated to fail.
   * What `effect` throws is thrown to the caller: it is a response, not an injected fault.
   */
  readonly step: <T>(what: string, effect: () => T, manner?: Manner<T>) => Promise<T>;
}

/** A process with its state in the world. */
export interface Running extends Process {
  isAlive: boolean;
  readonly onEnd: (ending: Ending) => void;
}
