import { setImmediate } from "node:timers/promises";
import * as v from "valibot";
import { call, keyOf, newCustomer } from "../service.ts";

/** A customer with the key of its requests and the token of its downloads. */
export interface TokenHolder {
  readonly uid: string;
  readonly key: string;
  readonly token: string;
}

const Login = v.object({ accessToken: v.string(), userId: v.string() });

/** A customer of this test's own, logged in. */
export async function newTokenHolder(account: Parameters<typeof newCustomer>[0] = {}): Promise<TokenHolder> {
  const key = keyOf(await newCustomer(account));
  const { accessToken: token, userId: uid } = v.parse(Login, (await call("users", "POST", "/login-with-apikey", { key })).body);
  return { uid, key, token };
}

/** Several of them: a customer has five jobs in work at a time, so more of them do more at once. */
export function newTokenHolders(count: number): Promise<TokenHolder[]> {
  return Promise.all(Array.from({ length: count }, () => newTokenHolder()));
}

/** Works on every item, on `count` for each customer at a time, and gives what it told of each in the order of the items. */
export async function shareOut<Item, Told>(
  items: readonly Item[],
  customers: readonly TokenHolder[],
  count: number,
  work: (item: Item, customer: TokenHolder) => Promise<Told>,
): Promise<Told[]> {
  // Drawing the items took a while without a turn of the loop: connections that were closed meanwhile are let go of before they are used.
  await setImmediate();
  const told = new Map<number, Told>();
  const waiting = items.entries();
  const worker = async (customer: TokenHolder): Promise<void> => {
    // One iterator for all workers: each takes the next item that nobody has taken.
    for (const [index, item] of waiting) told.set(index, await work(item, customer));
  };
  await Promise.all(customers.flatMap((customer) => Array.from({ length: count }, () => worker(customer))));
  return [...told].sort(([a], [b]) => a - b).map(([, one]) => one);
}
