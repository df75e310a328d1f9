import { type CustomerDetails, setCountries } from "../../../shared/accounts/customers-admin.ts";
import { tellTerraform } from "../customers-file.ts";
import { measureAgain } from "../owned-data/maps.ts";
import { counted, list } from "../print.ts";
import type { Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import type { Answer } from "../verb.ts";

interface Change {
  readonly action: "scope.grant" | "scope.revoke";
  readonly words: readonly string[];
  readonly change: (countries: readonly string[]) => readonly string[];
  /** The new default country; undefined leaves it unchanged. */
  readonly defaultCountry: string | undefined;
}

/** Changes a customer's countries, and those of its keys and monitored maps. Throws a UsageError if the default country would be lost. */
export async function changeCustomer(session: Session, customer: CustomerDetails, asked: Change): Promise<Answer> {
  const { uid, name } = customer;
  const { countries, defaultCountry } = await setCountries(session.db, uid, (present) => {
    const countries = asked.change(present.countries);
    const defaultCountry = asked.defaultCountry ?? present.defaultCountry;
    if (countries.includes(defaultCountry)) return { countries, defaultCountry };
    throw new UsageError(
      countries.length === 0
        ? `${name} would have no country left; use customers suspend to block all access`
        : `${defaultCountry} is the default country of ${name}; name another with --default-country: ${list(countries)}`,
    );
  });
  await session.record(asked.action, uid, `customer: ${asked.words.join(" ")}`);
  const maps = await measureAgain(session, uid);
  await tellTerraform(session, customer);
  if (maps > 0)
    session.note(`${counted(maps, "monitored map is", "monitored maps are")} measured within these countries from the next tick on`);
  return {
    json: { uid, countries, defaultCountry },
    lines: [`${name} has ${list(countries)}; its default is ${defaultCountry}`],
  };
}
