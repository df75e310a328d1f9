import { expect, it } from "vitest";
import { Locks } from "./locks.ts";

it("gives a lock to one at a time, in the order of asking", async () => {
  const locks = new Locks();
  const order: string[] = [];
  const release = await locks.acquire(["a", "b"]);
  const waiting = ["first", "second"].map(async (name) => {
    const next = await locks.acquire(["b"]);
    order.push(name);
    next();
  });
  expect(order).toEqual([]);
  release();
  await Promise.all(waiting);
  expect(order).toEqual(["first", "second"]);
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
  expect(await locks.acquire(["a"])).toBeTypeOf("function");
});
