import type { IncomingHttpHeaders } from "node:http";
import Negotiator from "negotiator";

/** Whether a request prefers gzip to plain content. Source: RFC 9110, section 12.5.3. */
export function acceptsGzip(headers: Pick<IncomingHttpHeaders, "accept-encoding">): boolean {
  return new Negotiator({ headers }).encoding(["gzip", "identity"]) === "gzip";
}

/**
 * Whether `If-None-Match` names an entity tag, by weak comparison: `*`, or a list with the tag. Tags of ours contain no commas.
 * Source: RFC 9110, sections 8.8.3.2 and 13.1.2.
 */
export function namesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch === "*" || listOf(ifNoneMatch).some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Whether `If-Match` allows a change of the version with a strong entity tag: `*`, or a list with the tag, of the plain or the compressed
 * form. Weak tags match nothing. Source: RFC 9110, section 13.1.1.
 */
export function allowsVersion(ifMatch: string, etag: string): boolean {
  return ifMatch === "*" || listOf(ifMatch).some((tag) => tag === etag || tag === ofGzip(etag));
}

/** Returns the entity tag of the compressed form. A strong tag is of one form only (RFC 9110, section 8.8.3.3); a weak one is of both. */
export function ofGzip(etag: string): string {
  return etag.startsWith("W/") ? etag : etag.replace(/"$/, '-gzip"');
}

function listOf(header = ""): string[] {
  return header.split(",").map((tag) => tag.trim());
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}
