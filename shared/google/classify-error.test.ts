import { describe, expect, it } from "vitest";
import { isAbsent, VERDICTS, verdictOn, verdictOnReason } from "./classify-error.ts";

/** An error as a REST client of Google's throws it. */
function restError(code: number, reason?: string): Error {
  return Object.assign(new Error("as the service put it"), { code, ...(reason ? { errors: [{ reason, domain: "global" }] } : {}) });
}

/** Every row of the table, by the dependency's own word. */
const ROWS = {
  bigquery: {
    repeat: [
      ["backendError", 503],
      ["internalError", 500],
      ["jobBackendError", 400],
      ["jobInternalError", 400],
      ["jobRateLimitExceeded", 400],
      ["proxyAuthenticationRequired", 407],
      ["quotaExceeded", 403],
      ["rateLimitExceeded", 403],
      ["resourceInUse", 400],
      ["tableUnavailable", 400],
    ],
    attach: [["duplicate", 409]],
    fail: [
      ["accessDenied", 403],
      ["attributeError", 400],
      ["badRequest", 400],
      ["billingNotEnabled", 403],
      ["billingTierLimitExceeded", 400],
      ["blocked", 403],
      ["bytesBilledLimitExceeded", 400],
      ["invalid", 400],
      ["invalidQuery", 400],
      ["invalidUser", 400],
      ["notFound", 404],
      ["notImplemented", 501],
      ["resourcesExceeded", 400],
      ["responseTooLarge", 403],
      ["stopped", 200],
      ["timeout", 400],
    ],
  },
  service: { repeat: [["dataChanged"]], attach: [], fail: [["countryNotOffered"]] },
  http: { repeat: [[401], [408], [429], [500], [502], [503], [504]], attach: [[409], [412]], fail: [] },
  grpc: { repeat: [[1], [2], [4], [8], [10], [13], [14], [16]], attach: [[6]], fail: [[3], [5], [7], [9], [11], [12], [15]] },
  network: {
    repeat: [
      ["EAI_AGAIN"],
      ["ECONNABORTED"],
      ["ECONNREFUSED"],
      ["ECONNRESET"],
      ["EHOSTUNREACH"],
      ["ENETUNREACH"],
      ["ENOTFOUND"],
      ["EPIPE"],
      ["ERR_STREAM_PREMATURE_CLOSE"],
      ["ETIMEDOUT"],
      ["UND_ERR_BODY_TIMEOUT"],
      ["UND_ERR_CONNECT_TIMEOUT"],
      ["UND_ERR_HEADERS_TIMEOUT"],
      ["UND_ERR_SOCKET"],
    ],
    attach: [],
    fail: [],
  },
} as const;

const VERDICT_NAMES = ["repeat", "attach", "fail"] as const;

function rowsOf(dependency: keyof typeof ROWS) {
  return VERDICT_NAMES.flatMap((verdict) => ROWS[dependency][verdict].map((row) => ({ verdict, word: row[0], status: row[1] })));
}

describe("the table of errors", () => {
  it("has these rows and no others", () => {
    for (const dependency of ["bigquery", "service", "http", "grpc", "network"] as const) {
      const rows = rowsOf(dependency).map(({ word, verdict }) => [String(word), verdict]);
      expect(VERDICTS[dependency]).toEqual(Object.fromEntries(rows));
    }
  });

  it.each(rowsOf("bigquery"))("BigQuery's $word, with $status: $verdict", ({ word, status = 0, verdict }) => {
    expect(verdictOn(restError(status, String(word)))).toBe(verdict);
    expect(verdictOnReason(String(word))).toBe(verdict);
  });

  it.each(rowsOf("service"))("the service's own $word: $verdict", ({ word, verdict }) => {
    expect(verdictOnReason(String(word))).toBe(verdict);
  });

  it.each(rowsOf("http"))("HTTP $word without a reason: $verdict", ({ word, verdict }) => {
    for (const error of [restError(Number(word)), { code: String(word) }, { status: word, code: "ERR_BAD_RESPONSE" }])
      expect(verdictOn(error)).toBe(verdict);
  });

  it.each(rowsOf("grpc"))("gRPC status $word: $verdict", ({ word, verdict }) => {
    expect(verdictOn(Object.assign(new Error("of gRPC"), { code: word, details: "" }))).toBe(verdict);
  });

  it.each(rowsOf("network"))("$word of a connection: $verdict", ({ word, verdict }) => {
    const fault = Object.assign(new Error("socket"), { code: word });
    expect(verdictOn(fault)).toBe(verdict);
    expect(verdictOn(new TypeError("fetch failed", { cause: fault }))).toBe(verdict);
  });

  it.each([
    ["a reason of the request's that nobody knows", restError(400, "somethingNew"), "fail"],
    ["a reason of the server's that nobody knows", restError(500, "somethingNew"), "repeat"],
    ["credentials that were refused", restError(401, "authError"), "repeat"],
    ["a disk that is full", restError(507), "repeat"],
    ["a proxy's refusal", restError(403), undefined],
    ["a proxy's missing page", restError(404), undefined],
    ["a word that every object has", restError(400, "constructor"), "fail"],
    ["a file that is not there", Object.assign(new Error("open"), { code: "ENOENT" }), undefined],
    ["a fault of the program", new TypeError("x is undefined"), undefined],
    ["nothing", undefined, undefined],
  ])("%s", (_what, error, verdict) => {
    expect(verdictOn(error)).toBe(verdict);
  });

  it("does not pay twice for a job that failed for a reason that nobody knows", () => {
    for (const reason of ["somethingNew", "constructor"]) expect(verdictOnReason(reason)).toBe("fail");
  });
});

describe("what is to be removed", () => {
  it.each([
    ["REST's 404", restError(404, "notFound"), true],
    ["gRPC's NOT_FOUND", { code: 5 }, true],
    ["a refusal", restError(403, "accessDenied"), false],
    ["a connection that broke", { code: "ECONNRESET" }, false],
  ])("is gone already, or not: %s", (_what, error, expected) => {
    expect(isAbsent(error)).toBe(expected);
  });
});
