import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { readIfThere, writeDurably } from "./durable-file.ts";

/** Who a bearer token speaks for: the service account and the OAuth scopes (full URLs) that the token was minted with. */
export interface Principal {
  readonly email: string;
  readonly scopes: readonly string[];
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

const AccountsFile = v.strictObject({ accounts: v.record(v.string(), v.strictObject({ disabled: v.boolean() })) });

/**
 * The tokens and service accounts of the local cloud: what IAM knows in the real one.
 * The metadata server and IAM Credentials mint here; Cloud Storage and BigQuery verify here.
 * Tokens end with the process; accounts outlive it where a file keeps them.
 */
export class Identity {
  readonly #tokens = new Map<string, { principal: Principal; expiresAt: number }>();
  readonly #accounts = new Map<string, { disabled: boolean }>();
  readonly #now: () => number;
  readonly #file: string | undefined;

  /** `now` gives milliseconds since 1970; `file` keeps the accounts. Throws when that file is not one of these. */
  constructor(now: () => number = Date.now, file?: string) {
    this.#now = now;
    this.#file = file;
    const text = file === undefined ? undefined : readIfThere(file);
    if (text === undefined) return;
    const { accounts } = v.parse(AccountsFile, JSON.parse(text));
    for (const [email, account] of Object.entries(accounts)) this.#accounts.set(email, account);
  }

  /** Makes a service account exist. Again is no error. Throws the system's error when that cannot be kept; then there is none. */
  addAccount(email: string): void {
    if (!this.#accounts.has(email)) this.#set(email, { disabled: false });
  }

  /** A disabled account mints nothing and its living tokens stop working at once. Throws as `addAccount` does. */
  setDisabled(email: string, disabled: boolean): void {
    this.#set(email, { disabled });
  }

  hasAccount(email: string): boolean {
    return this.#accounts.has(email);
  }

  /** Mints an opaque token. Throws when the account does not exist or is disabled: ask `hasAccount` first. */
  mint(email: string, scopes: readonly string[], lifetimeSeconds: number): MintedToken {
    const account = this.#accounts.get(email);
    if (!account || account.disabled) throw new Error(`service account ${email} cannot mint`);
    this.#dropExpired();
    const accessToken = `ya29.local-${randomBytes(24).toString("base64url")}`;
    const expiresAt = this.#now() + lifetimeSeconds * 1000;
    this.#tokens.set(accessToken, { principal: { email, scopes }, expiresAt });
    return { accessToken, expireTime: new Date(expiresAt) };
  }

  /** The principal of a living token; undefined when unknown, expired or of a disabled account. */
  verify(accessToken: string): Principal | undefined {
    const token = this.#tokens.get(accessToken);
    if (!token || token.expiresAt <= this.#now()) return undefined;
    return this.#accounts.get(token.principal.email)?.disabled ? undefined : token.principal;
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
