import { openCustomerCountries } from "../accounts/customers.ts";
import type { Caller } from "../http/caller.ts";
import type { Config } from "../runtime/config.ts";

/** A map, or its headcount: the countries in which it has been measured, undefined if that is not known. */
interface Measured {
  readonly measuredIn?: readonly string[] | undefined;
}

/**
 * Returns the items that have been measured in no other countries than the key covers. A key of all the customer's countries gets all items: these
 * are read only if the key's own do not suffice.
 */
export type Covered = <Item extends Measured>(
  caller: Pick<Caller, "uid" | "countries">,
  items: readonly Item[],
) => Promise<readonly Item[]>;

/** Opens the customers' countries. */
export function openCovered(config: Config): Covered {
  const countriesOf = openCustomerCountries(config);
  return async ({ uid, countries }, items) => {
    const covers = (wanted: readonly string[]): boolean => wanted.every((country) => countries.includes(country));
    const covered = items.filter(({ measuredIn }) => measuredIn !== undefined && covers(measuredIn));
    return covered.length === items.length || covers(await countriesOf(uid)) ? items : covered;
  };
}
