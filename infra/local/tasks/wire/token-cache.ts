import type { Identity } from "../../identity.ts";

/**
 * Tokens are cached until shortly before they expire, as Google's own callers do. A busy queue would otherwise mint hundreds per second.
 */
const LIFETIME_SECONDS = 3600;
const RENEWED_BEFORE_MS = 300_000;

/** Bearer tokens of service accounts, minted on demand. */
export class TokenCache {
  readonly #identity: Identity;
  readonly #now: () => number;
  readonly #tokens = new Map<string, { accessToken: string; expiresAt: number }>();

  constructor(identity: Identity, now: () => number) {
    this.#identity = identity;
    this.#now = now;
  }

  /** Returns a valid token and its expiry, in milliseconds since 1970. Throws if the account is deleted or disabled. */
  token(email: string, scopes: readonly string[]): { accessToken: string; expiresAt: number } {
    const key = JSON.stringify([email, scopes]);
    const kept = this.#tokens.get(key);
    if (kept && kept.expiresAt - this.#now() > RENEWED_BEFORE_MS && this.#identity.verify(kept.accessToken)) return kept;
    const { accessToken, expireTime } = this.#identity.mint(email, scopes, LIFETIME_SECONDS);
    const minted = { accessToken, expiresAt: expireTime.getTime() };
    this.#tokens.set(key, minted);
    return minted;
  }
}
