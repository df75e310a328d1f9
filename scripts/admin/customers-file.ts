import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import type { CustomerDetails } from "../../shared/accounts/customers-admin.ts";
import { listKeys } from "../../shared/accounts/keys-admin.ts";
import { messageOf } from "../import/import-error.ts";
import type { Session } from "./session.ts";
import { COMMAND, UsageError } from "./usage-error.ts";

/** How a customer gets warehouse data: A a listing in the data-sharing hub, B a personal dataset, C a transfer to its own platform. */
export const SCENARIOS = ["A", "B", "C"] as const;
export type Scenario = (typeof SCENARIOS)[number];

const Entry = v.object({
  name: v.string(),
  /** The deployment that the customer is of: one file may hold those of several. */
  environment: v.string(),
  countries: v.array(v.string()),
  scopes: v.array(v.string()),
  scenarios: v.array(v.picklist(SCENARIOS)),
});
type Entry = v.InferOutput<typeof Entry>;

const CustomersFile = v.looseObject({ customers: v.record(v.string(), Entry) });

/** Reads the customers' variable file of Terraform; one that is not there holds none. Throws a UsageError for one that cannot be read. */
export function readCustomersFile(file: string): v.InferOutput<typeof CustomersFile> {
  try {
    return v.parse(v.pipe(v.string(), v.parseJson(), CustomersFile), readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { customers: {} };
    throw new UsageError(`The customers' variable file ${file} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Tells Terraform of a customer as it is now, with further scenarios, where Terraform is what makes its service accounts, folder and views.
 * Notes whether there is something to apply.
 */
export async function tellTerraform(
  { place, db, config, note }: Session,
  { uid, name, countries }: Pick<CustomerDetails, "uid" | "name" | "countries">,
  scenarios: readonly Scenario[] = [],
): Promise<void> {
  if (place.kind === "local") return;
  const file = readCustomersFile(place.customersFile);
  const known = file.customers[uid];
  const keys = await listKeys(db, uid);
  const scopes = keys.flatMap((key) => [...key.scopes, ...(key.service === "warehouse" ? ["warehouse"] : [])]);
  const entry: Entry = {
    name,
    environment: config.environment,
    countries: [...countries],
    scopes: [...new Set(scopes)].sort(),
    scenarios: SCENARIOS.filter((one) => scenarios.includes(one) || known?.scenarios.includes(one)),
  };
  if (JSON.stringify(entry) === JSON.stringify(known)) return;
  writeCustomersFile(place.customersFile, { ...file, customers: { ...file.customers, [uid]: entry } });
  note(`${place.customersFile} has changed: apply terraform/customers, then ${COMMAND} customers activate ${uid}`);
}

/** Takes a customer out of the file, so that the next apply removes what Terraform has made for it. Gives whether it was there. */
export function forgetForTerraform({ place, note }: Pick<Session, "place" | "note">, uid: string): boolean {
  if (place.kind === "local") return false;
  const file = readCustomersFile(place.customersFile);
  if (!Object.hasOwn(file.customers, uid)) return false;
  const { [uid]: _gone, ...customers } = file.customers;
  writeCustomersFile(place.customersFile, { ...file, customers });
  note(`${place.customersFile} has changed: apply terraform/customers to remove the service accounts, the folder and the datasets`);
  return true;
}

/** Whole or not at all, and in the order of uids, so that its changes read well. */
function writeCustomersFile(file: string, content: v.InferOutput<typeof CustomersFile>): void {
  const customers = Object.fromEntries(Object.entries(content.customers).sort(([a], [b]) => (a < b ? -1 : 1)));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ ...content, customers }, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}
