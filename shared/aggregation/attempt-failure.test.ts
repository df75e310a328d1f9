import { describe, expect, it } from "vitest";
import { customerMessage, isRetryable, startFailure } from "./attempt-failure.ts";

/** Returns an error as BigQuery's client throws it. */
function clientError(code: number, reason?: string): Error {
  return Object.assign(new Error("as the warehouse put it"), { code, ...(reason ? { errors: [{ reason, domain: "global" }] } : {}) });
}

describe("a warehouse error", () => {
  it("reaches the customer as advice on what to do", () => {
    expect(customerMessage("bytesBilledLimitExceeded")).toContain("fewer days");
    expect(customerMessage("countryNotOffered")).toBe("The country is not offered any more");
    expect(customerMessage("dataChanged")).toContain("submit the job again later");
    expect(customerMessage("invalidQuery")).toBe(
      "The job failed inside the service; please submit it again, and name the job to support if it fails again",
    );
  });
});

describe("another attempt", () => {
  it.each([
    ["dataChanged", true],
    ["backendError", true],
    ["countryNotOffered", false],
    ["invalidQuery", false],
    ["somethingNew", false],
  ])("after %s: %s", (reason, expected) => {
    expect(isRetryable(reason)).toBe(expected);
  });
});

describe("a refused start", () => {
  it.each([
    [400, "invalidQuery"],
    [400, "bytesBilledLimitExceeded"],
    [403, "accessDenied"],
    [404, "notFound"],
  ])("with %i %s fails the attempt for that reason", (code, reason) => {
    expect(startFailure(clientError(code, reason))).toMatchObject({ state: "failed", reason });
  });

  it.each([
    [403, "rateLimitExceeded"],
    [403, "quotaExceeded"],
    [400, "resourceInUse"],
    [500, "backendError"],
    [503, undefined],
    [401, "authError"],
    // A proxy's refusal says nothing about the statement.
    [403, undefined],
  ])("with %i %s is left to the next delivery to retry", (code, reason) => {
    expect(startFailure(clientError(code, reason))).toBeUndefined();
  });
});
