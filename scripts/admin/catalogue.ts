import type { Verb } from "./verb.ts";

/** A verb of the tool: its one-line description and its module. Modules load on demand, since Google's clients load slowly. */
interface CatalogueEntry {
  readonly does: string;
  readonly load: () => Promise<{ readonly default: Verb }>;
}

/** All verbs by name as typed: a noun and a verb, or a verb alone. */
export const verbs: Readonly<Record<string, CatalogueEntry>> = {
  "customers create": {
    does: "Creates a customer. Locally it is active at once; in the cloud it stays provisioning until Terraform creates its accounts.",
    load: () => import("./customers/create.ts"),
  },
  "customers list": { does: "Lists all customers.", load: () => import("./customers/list.ts") },
  "customers show": { does: "Shows a customer with its keys, limits and usage.", load: () => import("./customers/show.ts") },
  "customers activate": {
    does: "Activates a customer once Terraform has created its accounts: its tokens work, and a requested dataset is there.",
    load: () => import("./customers/activate.ts"),
  },
  "customers allow": {
    does: "Sets what a customer's admins may grant to its keys by themselves, effective at once.",
    load: () => import("./customers/allow.ts"),
  },
  "customers suspend": {
    does: "Suspends a customer: its keys get 403 at once, its tokens stop working within minutes, and its subscriptions end.",
    load: () => import("./customers/suspend.ts"),
  },
  "customers resume": { does: "Ends a suspension: keys and tokens work again.", load: () => import("./customers/resume.ts") },
  "customers delete": {
    does: "Deletes a customer and all its data: keys, tokens, jobs, maps, files, headcounts, datasets. This cannot be undone.",
    load: () => import("./customers/delete.ts"),
  },
  "keys list": {
    does: "Lists a customer's keys by label, with their scopes and when they were created and last used.",
    load: () => import("./keys/list.ts"),
  },
  "keys create": {
    does: "Creates a key with a new label for a customer and shows it once.",
    load: () => import("./keys/create.ts"),
  },
  "keys rotate": {
    does: "Replaces the key of a label and shows the new one once. The old key stops working at once.",
    load: () => import("./keys/rotate.ts"),
  },
  "keys revoke": { does: "Revokes a key and removes its label. The key stops working at once.", load: () => import("./keys/revoke.ts") },
  "scopes grant": { does: "Adds scopes to a key, effective from the next request.", load: () => import("./scopes/grant.ts") },
  "scopes revoke": { does: "Removes scopes from a key, effective from the next request.", load: () => import("./scopes/revoke.ts") },
  "datasets request": {
    does: "Requests a customer's warehouse dataset. Locally its views are created at once, in the cloud by the next Terraform apply.",
    load: () => import("./datasets.ts"),
  },
  "quotas list": {
    does: "Shows what all customers' queries may read a day, and what they have read today.",
    load: () => import("./quotas/list.ts"),
  },
  "quotas show": { does: "Shows a customer's quotas.", load: () => import("./quotas/show.ts") },
  "quotas set": {
    does: "Changes a customer's quotas, effective from its next request. Quotas that are not named stay unchanged.",
    load: () => import("./quotas/set.ts"),
  },
  "jobs list": { does: "Lists the jobs of all customers, newest first.", load: () => import("./jobs/list.ts") },
  "jobs show": { does: "Shows a job: its customer, its status, and the job that replayed it.", load: () => import("./jobs/show.ts") },
  "jobs replay": {
    does: "Runs a failed job again as a new job of the same customer. Idempotent: a job is replayed at most once.",
    load: () => import("./jobs/replay.ts"),
  },
  "databases clone": {
    does: "Clones Firestore as it was at a minute into a database of another name, and withdraws again there what was withdrawn since.",
    load: () => import("./databases/clone.ts"),
  },
  "databases restore": {
    does: "Restores a backup of Firestore into a database of another name, and withdraws again there what was withdrawn since.",
    load: () => import("./databases/restore.ts"),
  },
  "databases reconcile": {
    does: "Withdraws again, in a restored database, what was withdrawn since its state: deleted customers, suspensions, revoked keys, grants.",
    load: () => import("./databases/reconcile-verb.ts"),
  },
  "databases drill": {
    does: "Rehearses a restoration: copies Firestore, compares the copy document by document, times each step, and deletes the copy.",
    load: () => import("./databases/drill.ts"),
  },
  audit: { does: "Shows the audit: tokens, keys, requests refused by scope, and operator actions.", load: () => import("./audit.ts") },
  tick: {
    does: "Refreshes the headcounts of all monitored maps of the local service now, without waiting for the next tick.",
    load: () => import("./tick.ts"),
  },
};
