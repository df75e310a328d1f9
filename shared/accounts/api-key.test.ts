import { describe, expect, it } from "vitest";
import { isKey, keyHash, keyHint } from "./api-key.ts";

const KEY = "0123456789abcdef".repeat(4);

describe("a key", () => {
  it("is any text of 64 lower-case hexadecimal characters", () => {
    expect(isKey(KEY)).toBe(true);
  });

  it.each(["", KEY.toUpperCase(), `${KEY.slice(1)}F`, KEY.slice(1), `${KEY}0`, `${KEY.slice(1)}g`, `${KEY}\n`, ` ${KEY.slice(1)}`])(
    "is not %j",
    (text) => {
      expect(isKey(text)).toBe(false);
    },
  );

  it("has a different hash in each environment", () => {
    expect(keyHash("dev", KEY)).not.toBe(keyHash("prod", KEY));
    expect(keyHash("dev", KEY)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("has its first six characters as the hint", () => {
    expect(keyHint(KEY)).toBe("012345");
  });
});
