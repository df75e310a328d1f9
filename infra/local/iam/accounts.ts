import type { Identity, MintedToken } from "../identity.ts";

/** Why an account cannot have a token. */
export type NoToken = "unknown" | "disabled";

/** Mints, or says why not. */
export function tryMint(identity: Identity, email: string, scopes: readonly string[], lifetimeSeconds: number): MintedToken | NoToken {
  if (!identity.hasAccount(email)) return "unknown";
  try {
    return identity.mint(email, scopes, lifetimeSeconds);
  } catch {
    return "disabled";
  }
}
