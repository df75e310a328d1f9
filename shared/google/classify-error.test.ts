import { describe, expect, it } from "vitest";
import { classifyError, classifyReason, ERROR_CLASSES, isNotFound } from "./classify-error.ts";

/** An error as Google's REST clients throw it. */
function restError(code: number, reason?: string): Error {
  return Object.assign(new Error("as the service put it"), { code, ...(reason ? { errors: [{ reason, domain: "global" }] } : {}) });
}

/** Every row of the table, by the dependency's own code. */
const ROWS = {
  bigquery: {
    retryable: [
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
    alreadyExists: [["duplicate", 409]],
    permanent: [
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
  http: { retryable: [[401], [408], [429], [500], [502], [503], [504]], alreadyExists: [[409], [412]], permanent: [] },
  grpc: {
    retryable: [[1], [2], [4], [8], [10], [13], [14], [16]],
    alreadyExists: [[6]],
    permanent: [[3], [5], [7], [9], [11], [12], [15]],
  },
  network: {
    retryable: [
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
    alreadyExists: [],
    permanent: [],
  },
} as const;

const CLASS_NAMES = ["retryable", "alreadyExists", "permanent"] as const;

function rowsOf(dependency: keyof typeof ROWS) {
  return CLASS_NAMES.flatMap((errorClass) => ROWS[dependency][errorClass].map((row) => ({ errorClass, word: row[0], status: row[1] })));
}

describe("the table of errors", () => {
  it("has these rows and no others", () => {
    for (const dependency of ["bigquery", "http", "grpc", "network"] as const) {
      const rows = rowsOf(dependency).map(({ word, errorClass }) => [String(word), errorClass]);
      expect(ERROR_CLASSES[dependency]).toEqual(Object.fromEntries(rows));
    }
  });

  it.each(rowsOf("bigquery"))("BigQuery's $word, with $status: $errorClass", ({ word, status = 0, errorClass }) => {
    expect(classifyError(restError(status, String(word)))).toBe(errorClass);
    expect(classifyReason(String(word))).toBe(errorClass);
  });

  it.each(rowsOf("http"))("HTTP $word without a reason: $errorClass", ({ word, errorClass }) => {
    for (const error of [restError(Number(word)), { code: String(word) }, { status: word, code: "ERR_BAD_RESPONSE" }])
      expect(classifyError(error)).toBe(errorClass);
  });

  it.each(rowsOf("grpc"))("gRPC status $word: $errorClass", ({ word, errorClass }) => {
    expect(classifyError(Object.assign(new Error("of gRPC"), { code: word, details: "" }))).toBe(errorClass);
  });

  it.each(rowsOf("network"))("connection error $word: $errorClass", ({ word, errorClass }) => {
    const fault = Object.assign(new Error("socket"), { code: word });
    expect(classifyError(fault)).toBe(errorClass);
    expect(classifyError(new TypeError("fetch failed", { cause: fault }))).toBe(errorClass);
  });

  it.each([
    ["an unknown reason of a 400", restError(400, "somethingNew"), "permanent"],
    ["an unknown reason of a 500", restError(500, "somethingNew"), "retryable"],
    ["credentials that were refused", restError(401, "authError"), "retryable"],
    ["a disk that is full", restError(507), "retryable"],
    ["a proxy's refusal", restError(403), undefined],
    ["a proxy's missing page", restError(404), undefined],
    ["a word that every object has", restError(400, "constructor"), "permanent"],
    ["a file that is not there", Object.assign(new Error("open"), { code: "ENOENT" }), undefined],
    ["a bug", new TypeError("x is undefined"), undefined],
    ["nothing", undefined, undefined],
  ])("%s", (_what, error, errorClass) => {
    expect(classifyError(error)).toBe(errorClass);
  });

  it("does not retry a job that failed for an unknown reason", () => {
    for (const reason of ["somethingNew", "constructor"]) expect(classifyReason(reason)).toBe("permanent");
  });
});

describe("a resource to remove", () => {
  it.each([
    ["REST's 404", restError(404, "notFound"), true],
    ["gRPC's NOT_FOUND", { code: 5 }, true],
    ["a refusal", restError(403, "accessDenied"), false],
    ["a connection that broke", { code: "ECONNRESET" }, false],
  ])("is already gone, or not: %s", (_what, error, expected) => {
    expect(isNotFound(error)).toBe(expected);
  });
});
