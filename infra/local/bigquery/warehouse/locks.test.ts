import { expect, it } from "vitest";
import { Locks } from "./locks.ts";

it("gives a lock to one at a time, in the order of asking", async () => {
  const locks = new Locks();
  const order: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: holds } = Promise.withResolvers<void>();
  const holder = locks.holding(["a", "b"], () => {
    holds();
    return released;
  });
  await held;
  const waiting = ["first", "second"].map((name) => locks.holding(["b"], async () => void order.push(name)));
  await locks.holding(["c"], async () => undefined);
  expect(order).toEqual([]);
  release();
  await Promise.all([holder, ...waiting]);
  expect(order).toEqual(["first", "second"]);
});

it("gives a lock to the next one after work that fails", async () => {
  const locks = new Locks();
  await expect(locks.holding(["a"], () => Promise.reject(new Error("the work failed")))).rejects.toThrow("the work failed");
  expect(await locks.holding(["a"], async () => "next")).toBe("next");
});

it("gives a claim to one, and names what is claimed to others until it is given back", async () => {
  const locks = new Locks();
  const giveBack = locks.claim(["a", "b", "b"]);
  if (typeof giveBack === "string") throw new Error(`${giveBack} is claimed`);
  expect(locks.claim(["c", "b"])).toBe("b");
  expect(locks.claim(["c"])).toBeTypeOf("function");
  giveBack();
  expect(locks.claim(["a", "b"])).toBeTypeOf("function");
});

it("a claim keeps nobody from a lock", async () => {
  const locks = new Locks();
  expect(locks.claim(["a"])).toBeTypeOf("function");
  expect(await locks.holding(["a"], async () => "held")).toBe("held");
});
