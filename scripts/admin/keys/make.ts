import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import type { Grants } from "../../../shared/accounts/key-grants.ts";
import { createKey } from "../../../shared/accounts/machine-accounts.ts";
import { tellTerraform } from "../customers-file.ts";
import { fields, list } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND } from "../usage-error.ts";
import type { Answer } from "../verb.ts";
import { scopesOf } from "./describe.ts";

/** What the new key may do, given what the label's present one may; may throw to refuse. */
type Decide = Parameters<typeof createKey>[1]["decide"];

/**
 * Makes a key on a customer's behalf, in the transaction that the API makes them in: the one before it is dead with it. The answer is the only
 * place where it is ever shown.
 */
export async function makeOnBehalf(session: Session, customer: CustomerDetails, keyLabel: string, decide: Decide): Promise<Answer> {
  const { config, db, note, now } = session;
  const { uid, name, status } = customer;
  let granted: Grants | undefined;
  const made = await createKey(db, {
    ...{ uid, keyLabel, environment: config.environment, now: now() },
    decide: (present, allowed) => {
      granted = decide(present, allowed);
      return granted;
    },
  });
  await session.record(made.rotated ? "key.rotate" : "key.create", uid, `${keyLabel} (${made.keyHint}…)`);
  if (status === "suspended") note(`${name} is suspended: this key answers 403 until ${COMMAND} customers resume ${uid}`);
  if (status === "provisioning") note(`${name} is provisioning: this key mints no token until ${COMMAND} customers activate ${uid}`);
  await tellTerraform(session, customer);
  const { service, apiKey, rotated } = made;
  const may = granted && { scopes: list(scopesOf(granted)), countries: list(granted.countries) };
  return {
    json: { uid, keyLabel, service, apiKey, rotated },
    lines: [
      `A key of ${name}, shown here and never again${rotated ? "; the one before it is dead" : ""}:`,
      ...fields({ label: keyLabel, "api key": apiKey, ...may }),
    ],
  };
}
