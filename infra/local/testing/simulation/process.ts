/** How a process ended. One that was killed is never heard of again: its next lines do not run, its catch and finally blocks neither. */
export type Ending = "done" | "failed" | "killed";

/** How one call is to be made. */
export interface Manner<T> {
  /** The call is not over before this time, in milliseconds since 1970. */
  readonly notBefore?: number;
  /** The client repeats it by itself when an answer is lost, as transactions are: then its effect happens twice, and the second result counts. */
  readonly mayRepeat?: boolean;
  /** What the trace tells of the result; all of it when left out, as far as there is room. */
  readonly tell?: (result: T) => string;
}

/** Something that runs and can die at any await: one delivery, one request, one firing of a schedule. */
export interface Process {
  readonly name: string;
  /**
   * One call of a port: it takes its turn among all that is pending, and then has its effect at once, as a transaction does, unless its fate is
   * another. What `effect` throws is thrown to the caller: that is an answer, not a fault.
   */
  readonly step: <T>(what: string, effect: () => T, manner?: Manner<T>) => Promise<T>;
}

/** A process as its world keeps it. */
export interface Running extends Process {
  isAlive: boolean;
  readonly onEnd: (ending: Ending) => void;
}
