import { describe, expect, it } from "vitest";
import { errorReason, errorStatus, networkErrorName } from "./client-error.ts";

describe("a client's error", () => {
  it.each([
    [{ code: 403, errors: [{ reason: "rateLimitExceeded", domain: "usageLimits" }, { reason: "other" }] }, "rateLimitExceeded"],
    [{ code: 403, errors: [] }, undefined],
    [{ code: 403, errors: [{ message: "no reason" }] }, undefined],
    [new Error("of another kind"), undefined],
    [undefined, undefined],
  ])("%j has the reason of its first part, if any: %s", (error, expected) => {
    expect(errorReason(error)).toBe(expected);
  });

  it.each([
    [{ code: 404 }, 404],
    [{ code: "404" }, 404],
    [{ code: "ERR_BAD_RESPONSE", status: 503 }, 503],
    [{ code: "ECONNRESET" }, undefined],
  ])("%j has the status %s", (error, expected) => {
    expect(errorStatus(error)).toBe(expected);
  });

  it.each([
    [{ code: "ECONNRESET" }, "ECONNRESET"],
    [{ code: "404" }, undefined],
    [{ code: 14 }, undefined],
  ])("%j has the network error code %s", (error, expected) => {
    expect(networkErrorName(error)).toBe(expected);
  });
});
