import type { Identity, MintedToken } from "../identity.ts";

/** The reason why an account cannot get a token. */
export type NoToken = "unknown" | "disabled";

/** Mints a token, or returns the reason why it cannot. */
export function tryMint(identity: Identity, email: string, scopes: readonly string[], lifetimeSeconds: number): MintedToken | NoToken {
  if (!identity.hasAccount(email)) return "unknown";
  try {
    return identity.mint(email, scopes, lifetimeSeconds);
  } catch {
    return "disabled";
  }
}
