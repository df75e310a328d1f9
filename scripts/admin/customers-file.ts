import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import { findCustomer } from "../../shared/accounts/customers-admin.ts";
import { listKeys } from "../../shared/accounts/keys-admin.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import type { Session } from "./session.ts";
import { COMMAND, UsageError } from "./usage-error.ts";

/** How a customer gets warehouse data. A: a listing in the data-sharing hub, B: a personal dataset, C: a transfer to its own platform. */
export const SCENARIOS = ["A", "B", "C"] as const;
export type Scenario = (typeof SCENARIOS)[number];

const Entry = v.object({
  name: v.string(),
  /** The customer's deployment. One file may hold customers of several. */
  environment: v.string(),
  countries: v.array(v.string()),
  scopes: v.array(v.string()),
  scenarios: v.array(v.picklist(SCENARIOS)),
  /** The project of its service accounts. Left out by releases before there were several: the first. */
  accounts_project: v.exactOptional(v.string()),
});
type Entry = v.InferOutput<typeof Entry>;

const CustomersFile = v.looseObject({ customers: v.record(v.string(), Entry) });

/** Reads Terraform's variable file of customers. A missing file means no customers. Throws a UsageError if it cannot be read. */
export function readCustomersFile(file: string): v.InferOutput<typeof CustomersFile> {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), CustomersFile), readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { customers: {} };
    throw new UsageError(`The customers' variable file ${file} cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the environment of a customer in Terraform's variable file. Undefined if the file has no such customer, or cannot be read. */
export function environmentIn(file: string, uid: string): string | undefined {
  try {
    return readCustomersFile(file).customers[uid]?.environment;
  } catch (error) {
    // A key that leaked is revoked all the same.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/**
 * Writes a customer's current state to Terraform's variable file, adding `scenarios`. In the cloud, Terraform creates the customer's
 * service accounts, folder and views. Notes if there is something to apply. Does nothing locally.
 */
export async function tellTerraform(
  { place, db, config, note }: Session,
  { uid }: { readonly uid: string },
  scenarios: readonly Scenario[] = [],
): Promise<void> {
  if (place.kind === "local") return;
  const [customer, keys] = await Promise.all([findCustomer(db, uid), listKeys(db, uid)]);
  // Another command has deleted it meanwhile.
  if (!customer) return;
  const { name, countries, accountsProject } = customer;
  // From here to the end nothing waits: another command may change the file, too.
  const file = readCustomersFile(place.customersFile);
  const known = file.customers[uid];
  const scopes = keys.flatMap((key) => [...key.scopes, ...(key.service === "warehouse" ? ["warehouse"] : [])]);
  const entry: Entry = {
    name,
    environment: config.environment,
    countries: [...countries],
    scopes: [...new Set(scopes)].sort(),
    scenarios: SCENARIOS.filter((one) => scenarios.includes(one) || known?.scenarios.includes(one)),
    ...(accountsProject === undefined ? {} : { accounts_project: accountsProject }),
  };
  if (JSON.stringify(entry) === JSON.stringify(known)) return;
  writeCustomersFile(place.customersFile, { ...file, customers: { ...file.customers, [uid]: entry } });
  note(`${place.customersFile} has changed: apply terraform/customers, then run ${COMMAND} customers activate ${uid}`);
}

/** Removes a customer from the file, so that the next apply removes its resources. Returns whether the file held it. */
export function removeFromCustomersFile({ place, note }: Pick<Session, "place" | "note">, uid: string): boolean {
  if (place.kind === "local") return false;
  const file = readCustomersFile(place.customersFile);
  if (!Object.hasOwn(file.customers, uid)) return false;
  const { [uid]: _removed, ...customers } = file.customers;
  writeCustomersFile(place.customersFile, { ...file, customers });
  note(`${place.customersFile} has changed: apply terraform/customers to remove the service accounts, the folder and the datasets`);
  return true;
}

/** Writes the file atomically, sorted by uid to keep diffs readable. Another process may write it at the same time. */
function writeCustomersFile(file: string, content: v.InferOutput<typeof CustomersFile>): void {
  const customers = Object.fromEntries(Object.entries(content.customers).sort(([a], [b]) => (a < b ? -1 : 1)));
  mkdirSync(dirname(file), { recursive: true });
  const written = `${file}.${process.pid}.new`;
  writeFileSync(written, `${JSON.stringify({ ...content, customers }, undefined, 2)}\n`);
  renameSync(written, file);
}
