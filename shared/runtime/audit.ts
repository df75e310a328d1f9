import type { Log } from "./log.ts";

/** Who did it: the holder of a key, or an operator with the operator's tool. Never a key, a hash or a token. */
type Actor =
  | { readonly kind: "key"; readonly keyLabel: string; readonly keyHint: string }
  | { readonly kind: "operator"; readonly name: string };

/** What an audit entry tells. */
export interface AuditEntry {
  readonly action:
    | "token.mint"
    | "access.refuse"
    | "key.create"
    | "key.rotate"
    | "key.revoke"
    | "customer.create"
    | "customer.activate"
    | "customer.suspend"
    | "customer.resume"
    | "customer.delete"
    | "scope.grant"
    | "scope.revoke"
    | "dataset.request"
    | "quota.set"
    | "job.replay";
  readonly actor: Actor;
  /** The customer whose things are concerned. */
  readonly uid: string;
  /** What exactly, for example the label of the key that was made, or why something was refused. */
  readonly subject?: string;
  readonly requestId?: string | undefined;
  readonly sourceAddress?: string | undefined;
}

/** Writes an audit entry: one line of its own kind, which Cloud Logging's sinks tell by `audit` (Terraform keeps them apart). */
export function audit(log: Log, { action, ...entry }: AuditEntry): void {
  log("NOTICE", `audit: ${action}`, { audit: { action, ...entry } });
}
