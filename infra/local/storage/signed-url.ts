import type { IncomingHttpHeaders } from "node:http";
import { type Identity, type Principal, SCOPES } from "../identity.ts";
import { canonicalRequest, stringToSign } from "./canonical-request.ts";
import { decodeSegment, pathOf } from "./request-target.ts";
import { malformed, parseSignedQuery } from "./signed-query.ts";
import { notImplemented, StorageFault } from "./storage-fault.ts";

/** How far ahead of the server a client's clock may be. */
const SKEW_MS_MAX = 15 * 60_000;

interface SignedRequest {
  readonly method: string;
  /** The request target, not decoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

/**
 * Returns the service account that has signed a URL. It has the access of the account itself. Throws the error that Cloud Storage sends for
 * a malformed or expired signature, for one of a disabled account, and for one that was made for another request.
 */
export async function authenticateSignedUrl(identity: Identity, request: SignedRequest, now: number): Promise<Principal> {
  const { headers } = request;
  if (headers.authorization !== undefined) throw notImplemented("A signed URL together with the header Authorization");
  const signed = parseSignedQuery(request.query);
  if (now >= signed.expiresAt) {
    const expiredAt = new Date(signed.expiresAt).toISOString().replace(/\.\d+Z$/, "+00:00");
    throw new StorageFault("expiredToken", `The provided token has expired. Request signature expired at: ${expiredAt}`);
  }
  if (signed.signedAt > now + SKEW_MS_MAX)
    throw new StorageFault("requestTimeTooSkewed", "The difference between the request time and the server's time is too large.");
  checkHeaders(headers, signed.signedHeaders.split(";"));
  if (!identity.isActive(signed.account)) throw new StorageFault("invalidSecurity", "The provided security credentials are not valid.");
  const path = decodeSegment(pathOf(request.target));
  const texts = signableForms(request).map((form) => {
    const canonical = canonicalRequest({ ...form, path, query: request.query, signedHeaders: signed.signedHeaders });
    return { canonical, toSign: stringToSign(canonical, signed.date, signed.scope) };
  });
  for (const { toSign } of texts)
    if (await identity.isSignedBy(signed.account, Buffer.from(toSign), signed.signature))
      return { email: signed.account, scopes: [SCOPES.cloudPlatform] };
  throw new StorageFault(
    "signatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided. Check your Google secret key and signing method.",
    {},
    { StringToSign: texts[0]?.toSign ?? "", CanonicalRequest: texts[0]?.canonical ?? "" },
  );
}

/** Every signed header is there, and every header of Google's own is signed. */
function checkHeaders(headers: IncomingHttpHeaders, signed: readonly string[]): void {
  const missing = signed.find((name) => headers[name] === undefined);
  if (missing !== undefined) throw malformed(missing, "Header was included in signedheaders, but not in the request.");
  const extra = Object.keys(headers).find((name) => name.startsWith("x-goog-") && !signed.includes(name));
  if (extra !== undefined) throw malformed(extra, "Header was included in the request, but not in signedheaders.");
}

/**
 * Returns the forms in which a request may have been signed, the request's own first. A URL for GET also serves HEAD. Google's client for
 * Node signs the host without its port, which differs only here: Cloud Storage is at the default port.
 */
function signableForms({ method, headers }: SignedRequest): { method: string; headers: IncomingHttpHeaders }[] {
  const methods = method === "HEAD" ? ["HEAD", "GET"] : [method];
  const { host = "" } = headers;
  const hosts = new Set([host, host.replace(/:\d+$/, "")]);
  return methods.flatMap((one) => [...hosts].map((name) => ({ method: one, headers: { ...headers, host: name } })));
}
