import { describe, expect, it } from "vitest";
import { type KeyNetworks, seenFrom } from "./key-networks.ts";

const START = new Date("2026-01-01T00:00:00Z");
const day = (days: number) => new Date(START.getTime() + days * 86_400_000);
const NONE: KeyNetworks = { networks: [], newNetworkAt: null };

/** Uses a key from networks on days. Returns its networks, and the days of uses that are unusual. */
function used(...uses: readonly (readonly [days: number, network: string])[]) {
  const unusual: number[] = [];
  let networks = NONE;
  for (const [days, network] of uses) {
    const seen = seenFrom(networks, network, day(days));
    networks = seen.after;
    if (seen.isUnusual) unusual.push(days);
  }
  return { networks, unusual };
}

describe("a use from a new network", () => {
  it("is unusual after 30 days without a new one, and only once", () => {
    expect(used([0, "a"], [10, "a"], [29.9, "a"], [30, "b"], [31, "b"], [32, "a"]).unusual).toEqual([30]);
  });

  it("is unusual for a key that nobody used for 30 days", () => {
    expect(used([0, "a"], [45, "b"]).unusual).toEqual([45]);
  });

  it("is not unusual at the first use, or while new ones keep appearing", () => {
    expect(used([0, "a"], [20, "b"], [49, "c"], [70, "d"]).unusual).toEqual([]);
  });
});

describe("a known network", () => {
  it("is never unusual while it is remembered, which is 90 days", () => {
    expect(used([0, "a"], [1, "b"], [90.9, "b"], [91, "b"], [92, "a"]).unusual).toEqual([92]);
    expect(used([0, "a"], [1, "b"], [89, "b"], [89.5, "a"]).unusual).toEqual([]);
  });

  it("is remembered once, by its last use", () => {
    expect(used([0, "a"], [1, "b"], [2, "a"]).networks.networks).toEqual([
      { network: "a", seenAt: day(2) },
      { network: "b", seenAt: day(1) },
    ]);
  });

  it("is one of the last ten", () => {
    const { networks } = used(...Array.from({ length: 12 }, (_, index) => [index, `n${index}`] as const));
    expect(networks.networks.map(({ network }) => network)).toEqual(Array.from({ length: 10 }, (_, index) => `n${11 - index}`));
  });
});
