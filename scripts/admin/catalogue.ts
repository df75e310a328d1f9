import type { Verb } from "./verb.ts";

/** A verb of the tool: what it does, in one line, and where it is. It is loaded when it is asked for: Google's clients take their time. */
interface CatalogueEntry {
  readonly does: string;
  readonly load: () => Promise<{ readonly default: Verb }>;
}

/** All verbs, by their names as they are typed: a noun and a verb, or a verb alone. */
export const verbs: Readonly<Record<string, CatalogueEntry>> = {
  "customers create": {
    does: "Creates a customer: locally it can be used at once; in the cloud it is provisioning until Terraform has made its accounts.",
    load: () => import("./customers/create.ts"),
  },
  "customers list": { does: "Lists all customers.", load: () => import("./customers/list.ts") },
  "customers show": { does: "Shows a customer with its keys, limits and what it uses.", load: () => import("./customers/show.ts") },
  "customers activate": {
    does: "Makes a customer active once Terraform has made its accounts: tries its tokens first.",
    load: () => import("./customers/activate.ts"),
  },
  "customers suspend": {
    does: "Suspends a customer: all its keys answer 403 at once, and its tokens that live stop working.",
    load: () => import("./customers/suspend.ts"),
  },
  "customers resume": { does: "Ends a suspension: keys and tokens work again.", load: () => import("./customers/resume.ts") },
  "customers delete": {
    does: "Deletes a customer with all that is its: keys, tokens, jobs, maps, files, headcounts, datasets. Nothing brings it back.",
    load: () => import("./customers/delete.ts"),
  },
  "keys list": {
    does: "Lists a customer's keys by label: what they may do, and when they were made and last used.",
    load: () => import("./keys/list.ts"),
  },
  "keys create": {
    does: "Makes a key for a new label on a customer's behalf, and shows it, once.",
    load: () => import("./keys/create.ts"),
  },
  "keys rotate": {
    does: "Replaces a label's key on a customer's behalf, and shows the new one, once. The old one is dead at once.",
    load: () => import("./keys/rotate.ts"),
  },
  "keys revoke": { does: "Ends a key and its label: it is dead at once.", load: () => import("./keys/revoke.ts") },
  "scopes grant": { does: "Lets a key do more, from the next request on.", load: () => import("./scopes/grant.ts") },
  "scopes revoke": { does: "Lets a key do less, from the next request on.", load: () => import("./scopes/revoke.ts") },
  "datasets request": {
    does: "Requests a customer's data in the warehouse: locally its views are made at once, in the cloud by Terraform's next apply.",
    load: () => import("./datasets.ts"),
  },
  "quotas show": { does: "Shows what a customer may use at most.", load: () => import("./quotas/show.ts") },
  "quotas set": {
    does: "Changes what a customer may use at most, from its next request on; what is not named stays.",
    load: () => import("./quotas/set.ts"),
  },
  "jobs list": { does: "Lists the jobs of all customers, newest first.", load: () => import("./jobs/list.ts") },
  "jobs show": { does: "Shows a job: whose it is, how it stands, and what it was replayed as.", load: () => import("./jobs/show.ts") },
  "jobs replay": {
    does: "Runs a failed job again, as a new job of the same customer, once however often it is asked for.",
    load: () => import("./jobs/replay.ts"),
  },
  audit: { does: "Shows who did what: tokens, keys, refusals by scope, and the work of operators.", load: () => import("./audit.ts") },
  tick: {
    does: "Refreshes the headcounts of all monitored maps of the local service now, between the ticks of the schedule.",
    load: () => import("./tick.ts"),
  },
};
