/** Who calls, and what its key may do: ownership comes from here, never from the request. */
export interface Caller {
  /** The customer. */
  readonly uid: string;
  /** The key's name within the customer, and its first six characters, for the audit. */
  readonly keyLabel: string;
  readonly keyHint: string;
  /** Which tokens the key may mint. */
  readonly service: "storage" | "warehouse";
  readonly scopes: readonly "realtime"[];
  readonly countries: readonly string[];
  readonly defaultCountry: string;
  readonly machineAccountAdmin: boolean;
  /** Whether its customer is suspended. */
  readonly suspended?: boolean | undefined;
}

/** A caller whose key was found. */
export interface Identified {
  readonly caller: Caller;
  /** Notes that the key is in use; undefined when nothing has to be noted now. It is called for a caller that is let in. */
  readonly recordUse: (now: Date) => Promise<void> | undefined;
}

/** Finds who holds a key, as it was presented; undefined for one that opens nothing: malformed, unknown, revoked, or of a customer that is gone. */
export type Authenticate = (presented: string) => Promise<Identified | undefined>;
