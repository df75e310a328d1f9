import { openCustomerCountries } from "../accounts/customers.ts";
import type { Caller } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";

/** Something whose headcounts are of these countries; undefined if that is not known. */
interface Placed {
  readonly measuredIn?: readonly string[] | undefined;
}

/**
 * Returns the headcounts, or the maps, whose countries the key covers, all of them. What is of unknown countries is of all the customer's, which are read
 * only then.
 */
export type Covered = <Item extends Placed>(caller: Pick<Caller, "uid" | "countries">, items: readonly Item[]) => Promise<Item[]>;

/** Opens the customers' countries. */
export function openCovered(config: Config): Covered {
  const countriesOf = openCustomerCountries(config);
  return async ({ uid, countries }, items) => {
    const all = items.some(({ measuredIn }) => measuredIn === undefined) ? await countriesOf(uid) : [];
    return items.filter(({ measuredIn = all }) => measuredIn.every((country) => countries.includes(country)));
  };
}
