import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";
import { type Signature, SigningKeys } from "./iam/signing-keys.ts";
import { storedJson } from "./persistence/stored-json.ts";

/** The identity of a bearer token: its service account and its OAuth scopes (full URLs). */
export interface Principal {
  readonly email: string;
  readonly scopes: readonly string[];
  /** The grants of a function's account, if they differ from those that its code needs. */
  readonly grants?: readonly string[];
}

export interface MintedToken {
  readonly accessToken: string;
  readonly expireTime: Date;
}

export const SCOPES = {
  storageRead: "https://www.googleapis.com/auth/devstorage.read_only",
  bigquery: "https://www.googleapis.com/auth/bigquery",
  cloudPlatform: "https://www.googleapis.com/auth/cloud-platform",
} as const;

/** The ids of the databases of Firestore that grants on `database:main` and `database:usage` reach. Terraform writes the real conditions. */
export interface GrantedDatabases {
  readonly main: readonly string[];
  readonly usage: readonly string[];
}

const AccountsFile = v.strictObject({ accounts: v.record(v.string(), v.strictObject({ disabled: v.boolean() })) });

/**
 * The tokens, signatures and service accounts of the local cloud, as IAM has them in the real one. The metadata server and IAM Credentials
 * mint tokens here; Cloud Storage and BigQuery verify them. Tokens and signatures end with the process. Accounts are stored in `file`, if
 * given.
 */
export class Identity {
  readonly #tokens = new Map<string, { principal: Principal; expiresAt: number }>();
  readonly #accounts = new Map<string, { disabled: boolean }>();
  readonly #grants = new Map<string, readonly string[]>();
  #databases: GrantedDatabases = { main: ["(default)"], usage: ["usage"] };
  readonly #keys = new SigningKeys();
  readonly #now: () => number;
  readonly #file: string | undefined;

  /** `now` returns milliseconds since 1970. `file` stores the accounts. Throws if the file has another format. */
  constructor(now: () => number = Date.now, file?: string) {
    this.#now = now;
    this.#file = file;
    const text = file === undefined ? undefined : readIfThere(file);
    if (file === undefined || text === undefined) return;
    const { accounts } = storedJson(file, text, AccountsFile);
    for (const [email, account] of Object.entries(accounts)) this.#accounts.set(email, account);
  }

  /** Creates the account of a function. `grants`, if given, replace those that its code needs. */
  addFunction(email: string, grants?: readonly string[]): void {
    this.#accounts.set(email, { disabled: false });
    if (grants) this.#grants.set(email, grants);
  }

  /** Creates a service account. Idempotent. Throws the system's error if the file cannot be written; then the account does not exist. */
  addAccount(email: string): void {
    if (!this.#accounts.has(email)) this.#set(email, { disabled: false });
  }

  /** Replaces the databases that the functions' grants reach. Those of before are not reached any more. */
  grantDatabases(databases: GrantedDatabases): void {
    this.#databases = databases;
  }

  /** What a grant calls the database of an id; undefined if no grant reaches it. */
  databaseInGrants(id: string): "main" | "usage" | undefined {
    if (this.#databases.main.includes(id)) return "main";
    return this.#databases.usage.includes(id) ? "usage" : undefined;
  }

  /** A disabled account cannot mint, and its tokens stop working at once. Throws as `addAccount` does. */
  setDisabled(email: string, disabled: boolean): void {
    this.#set(email, { disabled });
  }

  hasAccount(email: string): boolean {
    return this.#accounts.has(email);
  }

  /** Whether an account exists and is not disabled. */
  isActive(email: string): boolean {
    return this.#accounts.get(email)?.disabled === false;
  }

  /** Mints an opaque token. Throws if the account does not exist or is disabled; check `hasAccount` first. */
  mint(email: string, scopes: readonly string[], lifetimeSeconds: number): MintedToken {
    if (!this.isActive(email)) throw new Error(`service account ${email} cannot mint`);
    this.#dropExpired();
    const accessToken = `ya29.local-${randomBytes(24).toString("base64url")}`;
    const expiresAt = this.#now() + lifetimeSeconds * 1000;
    this.#tokens.set(accessToken, { principal: { email, scopes }, expiresAt });
    return { accessToken, expireTime: new Date(expiresAt) };
  }

  /** Returns the principal of a valid token; undefined if it is unknown, expired or of a disabled account. */
  verify(accessToken: string): Principal | undefined {
    const token = this.#tokens.get(accessToken);
    if (!token || token.expiresAt <= this.#now()) return undefined;
    const { principal } = token;
    if (this.#accounts.get(principal.email)?.disabled) return undefined;
    const grants = this.#grants.get(principal.email);
    return grants ? { ...principal, grants } : principal;
  }

  /** Signs as a service account. Rejects if the account does not exist or is disabled; check `hasAccount` first. */
  async sign(email: string, content: Buffer): Promise<Signature> {
    if (!this.isActive(email)) throw new Error(`service account ${email} cannot sign`);
    return this.#keys.sign(email, content);
  }

  /** Whether a service account, which is not disabled by now, has signed this content. */
  async isSignedBy(email: string, content: Buffer, signature: Buffer): Promise<boolean> {
    return this.isActive(email) && this.#keys.isSignedBy(email, content, signature);
  }

  #set(email: string, account: { disabled: boolean }): void {
    const accounts = Object.fromEntries([...this.#accounts, [email, account]]);
    if (this.#file !== undefined) writeDurably(this.#file, JSON.stringify({ accounts } satisfies v.InferOutput<typeof AccountsFile>));
    this.#accounts.set(email, account);
  }

  #dropExpired(): void {
    for (const [token, { expiresAt }] of this.#tokens) if (expiresAt <= this.#now()) this.#tokens.delete(token);
  }
}
