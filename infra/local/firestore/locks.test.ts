import { describe, expect, it } from "vitest";
import { Locks } from "./locks.ts";

const PATIENT = { waitMax: 60_000, every: 5 };

/** Acquires locks and logs the outcome, so a test can assert the order. */
function noting(locks: Locks, log: string[]) {
  return (owner: object, name: string, ...keys: string[]) =>
    locks.acquire(owner, keys).then(
      () => void log.push(`${name} has ${keys}`),
      () => void log.push(`${name} refused`),
    );
}

describe("locks", () => {
  it("are granted at once if free or already held, else in request order", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const take = noting(locks, log);
    const [a, b, c] = [{}, {}, {}];
    await take(a, "a", "x");
    await take(a, "a", "x", "y");
    const waiting = [take(b, "b", "x"), take(c, "c", "x")];
    locks.release(a);
    await waiting[0];
    expect(log).toEqual(["a has x", "a has x,y", "b has x"]);
    locks.release(b);
    await waiting[1];
    expect(log.at(-1)).toBe("c has x");
  });

  it("are acquired all together: a waiter for two holds neither", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const take = noting(locks, log);
    const [a, b, c] = [{}, {}, {}];
    await take(a, "a", "x");
    const both = take(b, "b", "x", "y");
    await take(c, "c", "y");
    locks.release(c);
    locks.release(a);
    await both;
    expect(log).toEqual(["a has x", "c has y", "b has x,y"]);
  });

  it("are shared by those that ask for it, and nobody shares a key ahead of one who waits to have it alone", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const [a, b, c, d] = [{}, {}, {}, {}];
    const share = (owner: object, name: string, alone: string) => locks.acquire(owner, [alone], ["all"]).then(() => void log.push(name));
    await share(a, "a", "x");
    await share(b, "b", "y");
    const waiting = [locks.acquire(c, ["all"]).then(() => void log.push("c alone")), share(d, "d", "z")];
    await share(b, "b again", "y2");
    locks.release(a);
    locks.release(b);
    await waiting[0];
    expect(log).toEqual(["a", "b", "b again", "c alone"]);
    locks.release(c);
    await waiting[1];
    expect(log.at(-1)).toBe("d");
  });

  it("of one owner are not in each other's way, alone and shared", async () => {
    const locks = new Locks(PATIENT, () => {});
    const [a, b] = [{}, {}];
    await locks.acquire(a, ["all"]);
    await locks.acquire(a, ["x"], ["all"]);
    let isShared = false;
    const waiting = locks.acquire(b, ["y"], ["all"]).then(() => {
      isShared = true;
    });
    await locks.acquire(a, ["z"]);
    expect(isShared).toBe(false);
    locks.release(a);
    await waiting;
  });

  it("refuse the request that would close a cycle, over any number of owners", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const take = noting(locks, log);
    const [a, b, c] = [{}, {}, {}];
    await Promise.all([take(a, "a", "x"), take(b, "b", "y"), take(c, "c", "z")]);
    const waiting = [take(a, "a", "y"), take(b, "b", "z")];
    await take(c, "c", "x");
    expect(log.at(-1)).toBe("c refused");
    locks.release(c);
    await waiting[1];
    locks.release(b);
    await waiting[0];
    expect(log.slice(-2)).toEqual(["b has z", "a has y"]);
  });

  it("refuse a cycle that a grant has closed", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const take = noting(locks, log);
    const [a, b, d] = [{}, {}, {}];
    await Promise.all([take(a, "a", "x"), take(d, "d", "z")]);
    const waiting = [take(b, "b", "z"), take(b, "b", "x"), take(a, "a", "z")];
    locks.release(d);
    await Promise.any([waiting[1], waiting[2]]);
    expect(log.slice(2)).toEqual(["b has z", "b refused"]);
    locks.close();
    await Promise.all(waiting);
  });

  it("refuse a waiter after the timeout, not the holder", async () => {
    const log: string[] = [];
    const locks = new Locks({ waitMax: 20, every: 5 }, () => {});
    const take = noting(locks, log);
    const [a, b] = [{}, {}];
    await take(a, "a", "x");
    await take(b, "b", "x");
    locks.release(a);
    await take(b, "b", "x");
    expect(log).toEqual(["a has x", "b refused", "b has x"]);
  });

  it("report holders only while someone waits for them", async () => {
    const asked: object[] = [];
    const locks: Locks = new Locks(PATIENT, (owner) => {
      asked.push(owner);
      locks.release(owner);
    });
    const [a, b, c] = [{}, {}, {}];
    await locks.acquire(a, ["x"]);
    await locks.acquire(c, ["y"]);
    await locks.acquire(b, ["x"]);
    expect(asked).toEqual([a]);
  });

  it("refuse pending requests of an owner that is released", async () => {
    const log: string[] = [];
    const locks = new Locks(PATIENT, () => {});
    const take = noting(locks, log);
    const [a, b] = [{}, {}];
    await take(a, "a", "x");
    const waiting = take(b, "b", "x");
    locks.release(b);
    await waiting;
    locks.release(a);
    await take({}, "c", "x");
    expect(log).toEqual(["a has x", "b refused", "c has x"]);
  });
});
