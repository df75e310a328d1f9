import type { ClientKind } from "../runtime/client-kind.ts";

/** The caller and what its key may do. Ownership is decided by this, never by the request. */
export interface Caller {
  /** The customer. */
  readonly uid: string;
  /** The key's name, unique within the customer, and its first six characters, for the audit. */
  readonly keyLabel: string;
  readonly keyHint: string;
  /** The id under which the key is stored. It must not be logged. */
  readonly keyId: string;
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

/** A use of a key: when, from which address if that is known, and by which kind of client. */
export interface KeyUse {
  readonly now: Date;
  readonly address: string | undefined;
  readonly client: ClientKind;
}

/** A use that is being recorded. */
export interface RecordedUse {
  /** Resolves when it is recorded, with the network of the use if that is new to the key after a long time without a new one. */
  readonly unusualNetwork: Promise<string | undefined>;
}

/**
 * A caller's key as its request found it. Whatever grants or writes something reads the stored key again in its transaction, and calls
 * `assertHeld` with it.
 */
export interface HeldKey {
  readonly id: string;
  /**
   * Throws unless the key may still do what it could when the request found it.
   * @param present the stored key; undefined if it was revoked
   */
  readonly assertHeld: (present: HeldGrants | undefined) => void;
  /** Reads the stored key now and throws like `assertHeld`: for an answer that no transaction of the request stands behind. */
  readonly confirm: () => Promise<void>;
}

/** The part of a stored key that `assertHeld` compares. */
export type HeldGrants = Pick<Caller, "service" | "scopes" | "countries" | "machineAccountAdmin" | "suspended" | "expiresAt">;

/** A caller whose key was found. */
export interface Identified {
  readonly caller: Caller;
  /** Records that the key was used. Returns undefined if nothing needs recording now. Called only for admitted callers. */
  readonly recordUse: (use: KeyUse) => RecordedUse | undefined;
}

/** Returns the holder of a key, or undefined if the key is invalid: malformed, unknown, revoked, or of a deleted customer. */
export type Authenticate = (presented: string) => Promise<Identified | undefined>;
