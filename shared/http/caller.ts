/** The caller and what its key may do. Ownership is decided by this, never by the request. */
export interface Caller {
  /** The customer. */
  readonly uid: string;
  /** The key's name, unique within the customer, and its first six characters, for the audit. */
  readonly keyLabel: string;
  readonly keyHint: string;
  /** The kind of tokens that the key may mint. */
  readonly service: "storage" | "warehouse";
  readonly scopes: readonly "realtime"[];
  readonly countries: readonly string[];
  readonly defaultCountry: string;
  readonly machineAccountAdmin: boolean;
  /** From when on the key is refused; null or undefined for a key without an end. */
  readonly expiresAt?: Date | null | undefined;
  /** Whether the customer is suspended. */
  readonly suspended?: boolean | undefined;
}

/** A caller whose key was found. */
export interface Identified {
  readonly caller: Caller;
  /** Records that the key was used. Returns undefined if nothing needs recording now. Called only for admitted callers. */
  readonly recordUse: (now: Date) => Promise<void> | undefined;
}

/** Returns the holder of a key, or undefined if the key is invalid: malformed, unknown, revoked, or of a deleted customer. */
export type Authenticate = (presented: string) => Promise<Identified | undefined>;
