import { describe, expect, it } from "vitest";
import { keyHash } from "./api-key.ts";
import type { ApiKey } from "./api-keys.ts";
import { createAuthenticate } from "./authenticate.ts";

const KEY = "abcdef".padEnd(64, "0");
const STORED: ApiKey = {
  ...{ uid: "customer1", keyLabel: "main", service: "storage", scopes: [], machineAccountAdmin: false },
  ...{ countries: ["EST"], defaultCountry: "EST" },
};
const NOW = new Date("2026-11-22T12:00:00Z");

/** Returns authentication over one stored key, with a list of the calls to the store. */
function overOneKey() {
  const asked: unknown[] = [];
  const authenticate = createAuthenticate({
    environment: "local",
    findKey: async (hash) => {
      asked.push(hash);
      return hash === keyHash("local", KEY) ? STORED : undefined;
    },
    recordUse: (key, use) => void asked.push([key, use]),
  });
  return { authenticate, asked };
}

describe("a presented key", () => {
  it.each(["", "abc", `${KEY}0`, ` ${KEY}`, "x".repeat(64), KEY.toUpperCase()])(
    "is refused without a read when it is malformed: %j",
    async (presented) => {
      const { authenticate, asked } = overOneKey();
      expect([await authenticate(presented), asked]).toEqual([undefined, []]);
    },
  );

  it("costs one read per request, whether it is known or not", async () => {
    const { authenticate, asked } = overOneKey();
    for (const presented of [KEY, KEY, "f".repeat(64)]) await authenticate(presented);
    expect(asked).toEqual([KEY, KEY, "f".repeat(64)].map((presented) => keyHash("local", presented)));
    expect(await authenticate("f".repeat(64))).toBeUndefined();
  });

  it("has its use recorded under its hash", async () => {
    const { authenticate, asked } = overOneKey();
    const identified = await authenticate(KEY);
    expect(identified?.caller).toMatchObject({ uid: "customer1", keyLabel: "main", keyHint: "abcdef" });
    const use = { now: NOW, address: "203.0.113.7", client: "curl" } as const;
    identified?.recordUse(use);
    expect(asked.at(-1)).toEqual([{ uid: "customer1", keyLabel: "main", keyHash: keyHash("local", KEY) }, use]);
  });
});
