import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import type { Grants } from "../../../shared/accounts/key-grants.ts";
import { createKey } from "../../../shared/accounts/machine-accounts.ts";
import { tellTerraform } from "../customers-file.ts";
import { fields, list } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND } from "../usage-error.ts";
import type { Answer } from "../verb.ts";
import { scopesOf } from "./describe.ts";

/** Returns the grants of the new key, given those of the label's current key; may throw to refuse. */
type Decide = Parameters<typeof createKey>[1]["decide"];

/**
 * Creates a key for a customer with the API's transaction, which invalidates the label's previous key. Returns the answer, the only place
 * where the key is ever shown.
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
  if (status === "suspended") note(`${name} is suspended: this key gets 403 until you run ${COMMAND} customers resume ${uid}`);
  if (status === "provisioning")
    note(`${name} is provisioning: this key mints no tokens until you run ${COMMAND} customers activate ${uid}`);
  await tellTerraform(session, customer);
  const { service, apiKey, rotated } = made;
  const may = granted && { scopes: list(scopesOf(granted)), countries: list(granted.countries) };
  return {
    json: { uid, keyLabel, service, apiKey, rotated },
    lines: [
      `New key of ${name}, shown only once${rotated ? "; the previous key no longer works" : ""}:`,
      ...fields({ label: keyLabel, "api key": apiKey, ...may }),
    ],
  };
}
