import type { Log } from "./log.ts";

/** Who acted: the holder of a key, or an operator with the operator's tool. Never contains a key, a hash or a token. */
type Actor =
  | { readonly kind: "key"; readonly keyLabel: string; readonly keyHint: string }
  | { readonly kind: "operator"; readonly name: string };

/** The content of an audit entry. */
export interface AuditEntry {
  readonly action:
    | "token.mint"
    | "url.sign"
    | "access.refuse"
    | "key.create"
    | "key.rotate"
    | "key.change"
    | "key.revoke"
    | "customer.create"
    | "customer.activate"
    | "customer.allow"
    | "customer.suspend"
    | "customer.resume"
    | "customer.delete"
    | "scope.grant"
    | "scope.revoke"
    | "dataset.request"
    | "dataset.ready"
    | "quota.set"
    | "job.replay";
  readonly actor: Actor;
  /** The customer concerned. */
  readonly uid: string;
  /** The details, for example the label of the new key, or the reason of a refusal. */
  readonly subject?: string;
  readonly requestId?: string | undefined;
  readonly sourceAddress?: string | undefined;
}

/** Writes an audit entry: one log line with the field `audit`, which Cloud Logging's sinks (see Terraform) store separately. */
export function audit(log: Log, { action, ...entry }: AuditEntry): void {
  log("NOTICE", `audit: ${action}`, { audit: { action, ...entry } });
}
