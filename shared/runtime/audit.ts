import type { ClientKind } from "./client-kind.ts";
import type { Log } from "./log.ts";

/** Who acted: the holder of a key, or an operator with the operator's tool. Never contains a key, a hash or a token. */
type Actor =
  | { readonly kind: "key"; readonly keyLabel: string; readonly keyHint: string }
  | { readonly kind: "operator"; readonly name: string };

/** What an audit entry can tell of, in groups by the word before the dot. */
export const AUDIT_ACTIONS = [
  "token.mint",
  "url.sign",
  "access.refuse",
  "key.create",
  "key.rotate",
  "key.change",
  "key.revoke",
  // Used from a network that is new to it after a long time without a new one: the subject.
  "key.network",
  "customer.create",
  "customer.activate",
  "customer.allow",
  "customer.suspend",
  "customer.resume",
  "customer.delete",
  "scope.grant",
  "scope.revoke",
  "dataset.request",
  "dataset.ready",
  "quota.set",
  "job.replay",
] as const;

/** The content of an audit entry. */
export interface AuditEntry {
  readonly action: (typeof AUDIT_ACTIONS)[number];
  readonly actor: Actor;
  /** The customer concerned. */
  readonly uid: string;
  /** The details, for example the label of the new key, or the reason of a refusal. */
  readonly subject?: string;
  readonly requestId?: string | undefined;
  /** The address that the request came from (`source-address.ts`), and the kind of its client. */
  readonly sourceAddress?: string | undefined;
  readonly client?: ClientKind | undefined;
}

/** Writes an audit entry: one log line with the field `audit`, which Cloud Logging's sinks (see Terraform) store separately. */
export function audit(log: Log, { action, ...entry }: AuditEntry): void {
  log("NOTICE", `audit: ${action}`, { audit: { action, ...entry } });
}
