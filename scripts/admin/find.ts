import * as v from "valibot";
import { type CustomerDetails, findCustomer, listCustomers } from "../../shared/accounts/customers-admin.ts";
import { type KeyDetails, listKeys } from "../../shared/accounts/keys-admin.ts";
import { Uid } from "../../shared/accounts/machine-account-schemas.ts";
import { type CountryTable, resolveCountry } from "../../shared/countries/country-rules.ts";
import { closestName } from "../../shared/http/closest-name.ts";
import { environmentIn } from "./customers-file.ts";
import type { Session } from "./session.ts";
import { COMMAND, hintFor, UsageError } from "./usage-error.ts";

/** How many customers an error message names. */
const NAMED_MAX = 10;

/**
 * Returns the customer of a uid. Throws a UsageError that names the known customers, or the customer's environment if the session is that of another:
 * its keys would not work, and Terraform would remove its accounts.
 */
export async function requireCustomer(
  { db, place, config }: Pick<Session, "db" | "place" | "config">,
  uid: string,
): Promise<CustomerDetails> {
  const customer = (v.is(Uid, uid) ? await findCustomer(db, uid) : undefined) ?? noCustomer(await listCustomers(db), uid);
  const environment = place.kind === "cloud" ? environmentIn(place.customersFile, uid) : undefined;
  if (place.kind === "cloud" && environment !== undefined && environment !== config.environment)
    throw new UsageError(
      `${customer.name} is a customer of ${environment}, says ${place.customersFile}: --environment ${config.environment} is wrong`,
    );
  return customer;
}

function noCustomer(customers: readonly CustomerDetails[], uid: string): never {
  const known = customers.map((customer) => `${customer.uid} (${customer.name})`);
  const uids = customers.map((customer) => customer.uid);
  const named = customers.filter(({ name }) => uid !== "" && name.toLowerCase().includes(uid.toLowerCase()));
  const meant = named.length === 1 ? named[0]?.uid : closestName(uid, uids);
  const hint = meant === undefined ? `customers: ${known.slice(0, NAMED_MAX).join(", ") || "none"}` : `did you mean ${meant}?`;
  const rest = meant === undefined && known.length > NAMED_MAX ? `, … (${COMMAND} customers list shows all)` : "";
  throw new UsageError(`There is no customer ${JSON.stringify(uid)}; ${hint}${rest}`);
}

/** Returns the key of a label. Throws a UsageError that names the known labels. */
export async function requireKey(session: Pick<Session, "db">, customer: CustomerDetails, keyLabel: string): Promise<KeyDetails> {
  const keys = await listKeys(session.db, customer.uid);
  const key = keys.find((candidate) => candidate.keyLabel === keyLabel);
  if (key) return key;
  throw noKey(
    customer,
    keyLabel,
    keys.map((known) => known.keyLabel),
  );
}

/** Returns the UsageError for a label without a key. */
export function noKey({ name }: Pick<CustomerDetails, "name">, keyLabel: string, labels: readonly string[]): UsageError {
  const hint = hintFor(keyLabel, labels, `its labels are: ${labels.join(", ") || "none yet"}`);
  return new UsageError(`${name} has no key with the label ${JSON.stringify(keyLabel)}; ${hint}`);
}

/** Returns the country codes of the rules, each once, in the given order. Throws a UsageError that names the known codes. */
export function requireCountries(table: CountryTable, codes: readonly string[]): string[] {
  return [...new Set(codes.map((code) => requireCountry(table, code)))];
}

/** Returns the code of a country in the rules. Throws a UsageError that names the known codes. */
export function requireCountry(table: CountryTable, code: string): string {
  const country = resolveCountry(table, code);
  if (country !== undefined) return country;
  throw new UsageError(`Unknown country ${JSON.stringify(code)}; the service has ${Object.keys(table).join(", ")}`);
}
