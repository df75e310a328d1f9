import { isDeepStrictEqual } from "node:util";
import { AppliedFolder } from "./applied-folder.ts";
import { giveVariables, keepStateInFile } from "./prepared-environment.ts";
import type { StandIn } from "./stand-in/server.ts";

const FILES_ONLY = { name: "Files only", environment: "dev", countries: ["EST"], scopes: [], scenarios: [] };
const WITH_TABLES = { ...FILES_ONLY, name: "With tables", scopes: ["realtime", "warehouse"], scenarios: ["B"] };
const SUBSCRIBED = { ...WITH_TABLES, name: "Subscribed", countries: ["EST", "LAT"], scenarios: ["A", "B"] };
const SUBSCRIBERS = ["group:analysts@example.com"];

/**
 * Applies customers of an environment to the stand-in for Google: two, one of whom is suspended then, a third, and the two again. Throws an Error with
 * all that Terraform, its provider or the stand-in complain of, if one customer's coming or going changes what is another's, or if anything is left of
 * the one who has gone.
 * @param folder the customers' folder, in a copy of the project's Terraform that is free to change
 */
export async function applyCustomers(
  google: StandIn,
  folder: string,
  projects: { readonly data: string; readonly delivery: string },
): Promise<void> {
  const environments = { dev: { data_project: projects.data, delivery_project: projects.delivery, contact_email: "populus@example.com" } };
  keepStateInFile(folder);
  const root = new AppliedFolder(google, folder, { TF_WORKSPACE: "dev" });
  const apply = (customers: object, subscribers: object = {}): Promise<string[]> => {
    giveVariables(folder, { environments, customers, subscribers });
    return root.apply();
  };
  const first = { filesonly: FILES_ONLY, withtables: WITH_TABLES };
  await apply(first);
  // As `npm run admin -- customers suspend` does.
  const account = `projects/${projects.delivery}/serviceAccounts/storage-filesonly@${projects.delivery}.iam.gserviceaccount.com`;
  const suspended = await fetch(`${google.url}/iam.googleapis.com/v1/${account}:disable`, { method: "POST" });
  if (!suspended.ok) throw new Error(`The account was not disabled: ${await suspended.text()}`);
  const before = google.contents();
  requireOnlyOf("subscribed", await apply({ ...first, subscribed: SUBSCRIBED }, { subscribed: SUBSCRIBERS }), "create");
  requireOnlyOf("subscribed", await apply(first), "delete");
  const after = google.contents();
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  if (differing.length > 0) throw new Error(`A customer who has gone leaves changes:\n${differing.join("\n")}`);
}

/** Throws an Error unless the changes are all of one kind and of one customer. The wait for new accounts is everybody's, and changes nothing. */
function requireOnlyOf(uid: string, changes: readonly string[], action: "create" | "delete"): void {
  const own = changes.filter((change) => change !== "replace time_sleep.accounts");
  const others = own.filter((change) => !change.startsWith(`${action} `) || !change.includes(uid));
  if (own.length === 0 || others.length > 0) throw new Error(`To ${action} ${uid} changes, of ${own.length}:\n${others.join("\n")}`);
}
