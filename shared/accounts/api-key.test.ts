import { describe, expect, it } from "vitest";
import { isKey, keyHash, keyHint } from "./api-key.ts";

const KEY = "0123456789abcdef".repeat(4);

describe("a key", () => {
  it.each([KEY, KEY.toUpperCase()])("of 64 hexadecimal characters is one: %s", (key) => {
    expect(isKey(key)).toBe(true);
  });

  it.each(["", KEY.slice(1), `${KEY}0`, `${KEY.slice(1)}g`, `${KEY}\n`, ` ${KEY.slice(1)}`])("%j is none", (text) => {
    expect(isKey(text)).toBe(false);
  });

  it("has another hash in another environment", () => {
    expect(keyHash("dev", KEY)).not.toBe(keyHash("prod", KEY));
    expect(keyHash("dev", KEY)).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is the same in either letter case", () => {
    expect(keyHash("dev", KEY.toUpperCase())).toBe(keyHash("dev", KEY));
  });

  it("shows six characters", () => {
    expect(keyHint(KEY)).toBe("012345");
  });
});
