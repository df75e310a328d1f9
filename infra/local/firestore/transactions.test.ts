import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseDocumentName } from "./names.ts";
import { Store } from "./store.ts";
import { CommitClock } from "./time.ts";
import { TRANSACTION_LIMITS, Transactions } from "./transactions.ts";

const PEER = "127.0.0.1:1";
let store: Store;
let transactions: Transactions;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const clock = new CommitClock(() => 0);
  store = new Store();
  transactions = new Transactions(store, clock, TRANSACTION_LIMITS);
});

afterEach(() => {
  transactions.close();
  vi.useRealTimers();
});

const touch = (id: Buffer) => transactions.within(id, PEER, () => "open");

describe("a transaction", () => {
  it("expires after idling for 60 seconds and releases its locks", async () => {
    const transaction = transactions.begin(null, PEER);
    await transactions.lock(transaction, ["x"]);
    vi.advanceTimersByTime(59_999);
    expect(await touch(transaction.id)).toBe("open");
    vi.advanceTimersByTime(60_001);
    await expect(touch(transaction.id)).rejects.toThrow("transaction has expired");
    await transactions.locks.acquire({}, ["x"]);
  });

  it("expires after 270 seconds, even if busy", async () => {
    const { id } = transactions.begin(null, PEER);
    for (let elapsed = 0; elapsed < 270_000; elapsed += 30_000) {
      expect(await touch(id)).toBe("open");
      vi.advanceTimersByTime(30_000);
    }
    vi.advanceTimersByTime(1);
    await expect(touch(id)).rejects.toThrow("transaction has expired");
  });

  it("does not expire while one of its requests runs", async () => {
    const { id } = transactions.begin(null, PEER);
    await transactions.within(id, PEER, async () => {
      vi.advanceTimersByTime(300_000);
      expect(await touch(id)).toBe("open");
    });
  });

  it("that expired releases its locks when the next one begins", async () => {
    const old = transactions.begin(null, PEER);
    await transactions.lock(old, ["x"]);
    vi.advanceTimersByTime(60_001);
    await transactions.lock(transactions.begin(null, PEER), ["x"]);
  });

  it("that ends while it waits for a lock keeps no former state", async () => {
    const holder = transactions.begin(null, PEER);
    await transactions.lock(holder, ["x"]);
    const waiting = transactions.begin(null, PEER);
    const locked = transactions.within(waiting.id, PEER, (transaction) => transactions.lock(transaction, ["x"]));
    transactions.end(waiting);
    await expect(locked).rejects.toThrow("transaction has expired");
    const name = parseDocumentName("projects/p/databases/d", "projects/p/databases/d/documents/a/1");
    for (let time = 1; time <= 40; time += 1) {
      const state = { ...name, fields: {}, createTime: 1, updateTime: time, size: 1024 * 1024 };
      store.commit(new Map([[name.name, state]]), time);
    }
    expect(store.at(1)).toBeUndefined();
  });

  it("is unknown after its end", async () => {
    const transaction = transactions.begin({ readOnly: {} }, PEER);
    transactions.end(transaction);
    await expect(touch(transaction.id)).rejects.toThrow("transaction has expired");
  });
});
