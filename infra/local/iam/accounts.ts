import type { Identity, MintedToken } from "../identity.ts";
import type { Signature } from "./signing-keys.ts";

/** The reason why an account cannot get a token or sign. */
type Refusal = "unknown" | "disabled";

/** Mints a token, or returns the reason why it cannot. */
export function tryMint(identity: Identity, email: string, scopes: readonly string[], lifetimeSeconds: number): MintedToken | Refusal {
  if (!identity.hasAccount(email)) return "unknown";
  try {
    return identity.mint(email, scopes, lifetimeSeconds);
  } catch {
    return "disabled";
  }
}

/** Signs as an account, or returns the reason why it cannot. */
export async function trySign(identity: Identity, email: string, content: Buffer): Promise<Signature | Refusal> {
  if (!identity.hasAccount(email)) return "unknown";
  try {
    return await identity.sign(email, content);
  } catch {
    return "disabled";
  }
}
