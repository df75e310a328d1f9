import { placeCustomer, usesOf } from "../../../shared/accounts/accounts-project.ts";
import { createCustomer, newUid } from "../../../shared/accounts/customer-lifecycle.ts";
import { listCustomers } from "../../../shared/accounts/customers-admin.ts";
import { invisibleFault } from "../../../shared/runtime/visible-text.ts";
import { readCustomersFile, tellTerraform } from "../customers-file.ts";
import { requireCountries, requireCountry, requireCustomer } from "../find.ts";
import { count, text, texts } from "../options.ts";
import { fields } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { customerFields, customerJson } from "./describe.ts";

export default defineVerb({
  words: "",
  more: `  --name N             display name, at most 200 characters
  --country CODE       a country whose data it can query; repeatable
  --default-country C  the country of requests that name none (default: the first)
  --service-accounts-max N  service accounts of customers, two each, that each of several projects may have (default: 100): its quota, less the other accounts
`,
  options: { name: text, country: texts, "default-country": text, "service-accounts-max": count },
  run: async (_words, values, session) => {
    const name = values.name?.trim() ?? "";
    if (!/^.{1,200}$/su.test(name)) throw new UsageError("--name is missing, or is not 1 to 200 characters");
    const fault = invisibleFault(name);
    if (fault !== undefined) throw new UsageError(`--name ${fault}`);
    const countries = requireCountries(session.countries, values.country);
    if (countries.length === 0) throw new UsageError(`--country is missing; the service has ${Object.keys(session.countries).join(", ")}`);
    const defaultCountry = requireCountry(session.countries, values["default-country"] ?? countries[0] ?? "");
    if (!countries.includes(defaultCountry))
      throw new UsageError(`--default-country ${defaultCountry} must be one of the customer's countries: ${countries.join(", ")}`);
    const uid = await provision(session, { name, countries, defaultCountry }, values["service-accounts-max"] ?? ACCOUNTS_MAX);
    await session.record("customer.create", uid, name);
    const customer = await requireCustomer(session, uid);
    await tellTerraform(session, customer);
    // An operator whose run was interrupted repeats it, and another may create it at the same time: of two, at least one finds the other.
    const namesakes = (await listCustomers(session.db)).filter((known) => known.name === name && known.uid !== uid);
    if (namesakes.length > 0)
      session.note(
        `Another customer has the same name: ${namesakes.map((known) => known.uid).join(", ")}. If one is of a run that was interrupted: ${COMMAND} customers delete UID`,
      );
    session.note(`The customer has no key yet. To create one: ${COMMAND} keys create ${uid} LABEL`);
    return { json: customerJson(session.config, customer), lines: fields(customerFields(session.config, customer)) };
  },
});

/** The quota of a project unless it was raised. Source: https://cloud.google.com/iam/quotas */
const ACCOUNTS_MAX = 100;

type Wanted = Parameters<typeof createCustomer>[2];

async function provision({ place, config, db }: Session, wanted: Wanted, accountsMax: number): Promise<string> {
  if (place.kind === "local") {
    const { provisionCustomer } = await import("../local/customers.ts");
    return (await provisionCustomer(config, place.metadataHost, { ...wanted, keys: {} })).uid;
  }
  // Fails early: an unreadable file must not leave a customer behind.
  readCustomersFile(place.customersFile);
  const uid = newUid();
  const uses = usesOf(config, await listCustomers(db));
  // With one project there is no choice. The plan of terraform/customers warns of its quota.
  const accountsProject = uses.length === 1 ? config.accountsProjects[0] : placeCustomer(uid, uses, accountsMax);
  if (accountsProject === undefined) {
    const full = uses.map(({ project, customers }) => `${project} has ${customers}`).join(", ");
    throw new UsageError(
      `No project has room for a customer's two service accounts: customers: ${full}; accounts of each at most ${accountsMax}. ` +
        "Add a project to ACCOUNTS_PROJECT (terraform/SCALE.md), or have the quota raised and say so with --service-accounts-max",
    );
  }
  await createCustomer(db, uid, { ...wanted, accountsProject, status: "provisioning" });
  return uid;
}
