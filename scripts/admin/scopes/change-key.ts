import type { CustomerDetails } from "../../../shared/accounts/customers-admin.ts";
import type { Grants } from "../../../shared/accounts/key-grants.ts";
import { changeGrants } from "../../../shared/accounts/keys-admin.ts";
import { confirm } from "../confirm.ts";
import { tellTerraform } from "../customers-file.ts";
import { noKey, requireKey } from "../find.ts";
import { scopesOf } from "../keys/describe.ts";
import { LAST_ADMIN } from "../keys/last-admin.ts";
import { fields, list } from "../print.ts";
import type { Session } from "../session.ts";
import { COMMAND, UsageError } from "../usage-error.ts";
import type { Answer } from "../verb.ts";

interface Change {
  readonly keyLabel: string;
  readonly action: "scope.grant" | "scope.revoke";
  /** The scopes as they were typed, for the audit. */
  readonly words: readonly string[];
  readonly change: (grants: Grants) => Grants;
  readonly yes: boolean;
}

/**
 * Changes a key's grants. Asks before it removes the last admin access. Throws a UsageError for a country that the customer does not
 * have.
 */
export async function changeKey(session: Session, customer: CustomerDetails, asked: Change): Promise<Answer> {
  const { keyLabel, action, words, yes } = asked;
  const { uid } = customer;
  await requireKey(session, customer, keyLabel);
  const attempt = (lastAdminMayGo: boolean) =>
    changeGrants(session.db, { uid, keyLabel, lastAdminMayGo, now: session.now() }, (present, { countries }) => {
      const wanted = asked.change(present);
      const beyond = wanted.countries.filter((country) => !countries.includes(country));
      if (beyond.length === 0) return wanted;
      const grant = `${COMMAND} scopes grant ${uid} ${beyond.map((country) => `country:${country}`).join(" ")}`;
      throw new UsageError(`${customer.name} does not have ${list(beyond)}; first run ${grant}`);
    });
  let changed = await attempt(false);
  if (changed === "last-admin") {
    session.note(LAST_ADMIN);
    await confirm(session, `Remove the last machine-account admin access of ${customer.name}?`, yes);
    changed = await attempt(true);
  }
  if (typeof changed === "string") throw noKey(customer, keyLabel, []);
  const { before, after } = changed;
  await session.record(action, uid, `${keyLabel}: ${words.join(" ")}`);
  await tellTerraform(session, customer);
  if (before.service === "warehouse" && after.service === "storage")
    session.note("Warehouse tokens that are already minted stay valid for at most an hour; customers suspend disables them at once");
  const { service, scopes, countries, machineAccountAdmin } = after;
  return {
    json: { uid, keyLabel, service, scopes, countries, machineAccountAdmin },
    lines: [
      `From the next request on, ${keyLabel} of ${customer.name} has:`,
      ...fields({ scopes: list(scopesOf(after)), countries: list(countries) }),
    ],
  };
}
