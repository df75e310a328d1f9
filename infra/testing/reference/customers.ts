import { setImmediate } from "node:timers/promises";
import * as v from "valibot";
import { call, keyOf, newCustomer } from "../service.ts";

/** A customer with its API key and its token for downloads. */
export interface TokenHolder {
  readonly uid: string;
  readonly key: string;
  readonly token: string;
}

const Login = v.object({ accessToken: v.string(), userId: v.string() });

/** Creates a customer of this test and logs it in. */
export async function newTokenHolder(account: Parameters<typeof newCustomer>[0] = {}): Promise<TokenHolder> {
  const key = keyOf(await newCustomer(account));
  const { accessToken: token, userId: uid } = v.parse(Login, (await call("users", "POST", "/login-with-apikey", { key })).body);
  return { uid, key, token };
}

/** Creates several customers: each runs five jobs at a time, so more customers run more jobs. */
export function newTokenHolders(count: number): Promise<TokenHolder[]> {
  return Promise.all(Array.from({ length: count }, () => newTokenHolder()));
}

/** Processes every item, `count` per customer at a time, and returns the results in the order of the items. */
export async function shareOut<Item, Result>(
  items: readonly Item[],
  customers: readonly TokenHolder[],
  count: number,
  work: (item: Item, customer: TokenHolder) => Promise<Result>,
): Promise<Result[]> {
  // Drawing the items blocked the event loop for a while. Let it discard connections that were closed meanwhile.
  await setImmediate();
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const worker = async (customer: TokenHolder): Promise<void> => {
    // One iterator for all workers: each takes the next item.
    for (const [index, item] of waiting) results.set(index, await work(item, customer));
  };
  await Promise.all(customers.flatMap((customer) => Array.from({ length: count }, () => worker(customer))));
  return [...results].sort(([a], [b]) => a - b).map(([, one]) => one);
}
