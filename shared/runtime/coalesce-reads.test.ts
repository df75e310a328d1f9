import { afterEach, describe, expect, it, vi } from "vitest";
import { coalesceReads } from "./coalesce-reads.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Reads that the test resolves itself, in the order in which they started. */
function readsByHand() {
  const reads: { name: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const ask = coalesceReads((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    reads.push({ name, resolve, reject });
    return promise;
  });
  return { reads, ask };
}

describe("coalesced reads", () => {
  it("cost two for a thousand concurrent requests, and each result was read after its request", async () => {
    const { reads, ask } = readsByHand();
    const first = ask("a");
    const others = Array.from({ length: 999 }, () => ask("a"));
    reads[0]?.resolve("as it was");
    expect(await first).toBe("as it was");
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    const late = ask("a");
    reads[1]?.resolve("as it is");
    expect(new Set(await Promise.all(others))).toEqual(new Set(["as it is"]));
    await vi.waitFor(() => expect(reads).toHaveLength(3));
    reads[2]?.resolve("as it will be");
    expect(await late).toBe("as it will be");
  });

  it("start again if none is running", async () => {
    const { reads, ask } = readsByHand();
    for (const [index, value] of ["one", "two"].entries()) {
      const answer = ask("a");
      reads[index]?.resolve(value);
      expect(await answer).toBe(value);
      await new Promise(setImmediate);
    }
  });

  it("are separate for each name", async () => {
    const { reads, ask } = readsByHand();
    void ask("a");
    const answer = ask("b");
    reads[1]?.resolve("b's");
    expect(await answer).toBe("b's");
  });

  it("fail for all that share one, and for no later request", async () => {
    const { reads, ask } = readsByHand();
    const [first, second] = [ask("a"), ask("a")];
    reads[0]?.reject(new Error("down"));
    await expect(first).rejects.toThrow("down");
    await vi.waitFor(() => expect(reads).toHaveLength(2));
    reads[1]?.resolve("up again");
    expect(await second).toBe("up again");
  });

  it("continue after one that never settles", async () => {
    vi.useFakeTimers();
    const { reads, ask } = readsByHand();
    void ask("a");
    const second = ask("a");
    await vi.advanceTimersByTimeAsync(1000);
    reads[1]?.resolve("there");
    expect(await second).toBe("there");
  });
});
