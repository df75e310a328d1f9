import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The parts of a request that a V4 signature covers. */
export interface SignedParts {
  readonly method: string;
  /** Decoded, with a slash at the start. */
  readonly path: string;
  /** Decoded, as sent. The signature itself is left out. */
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Lower-case names, separated by semicolons. */
  readonly signedHeaders: string;
}

/** Returns the canonical request. Source: https://cloud.google.com/storage/docs/authentication/canonical-requests */
export function canonicalRequest({ method, path, query, headers, signedHeaders }: SignedParts): string {
  const canonicalQuery = [...query]
    .filter(([name]) => name.toLowerCase() !== "x-goog-signature")
    .map(([name, value]): readonly [string, string] => [encode(name), encode(value)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const lines = signedHeaders.split(";").map((name) => `${name}:${canonicalValue(headers[name])}`);
  const payload = headers["x-goog-content-sha256"];
  return [
    method,
    path.split("/").map(encode).join("/"),
    canonicalQuery,
    ...lines,
    "",
    signedHeaders,
    payload === undefined || !signedHeaders.split(";").includes("x-goog-content-sha256") ? "UNSIGNED-PAYLOAD" : canonicalValue(payload),
  ].join("\n");
}

/** Returns the text that is signed. `scope` is the credential without the account. Source: https://cloud.google.com/storage/docs/authentication/signatures */
export function stringToSign(request: string, date: string, scope: string): string {
  return ["GOOG4-RSA-SHA256", date, scope, createHash("sha256").update(request).digest("hex")].join("\n");
}

function canonicalValue(value: string | readonly string[] | undefined): string {
  return [value].flat().join(",").trim().replace(/\s+/g, " ");
}

/** Encodes every byte except letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
