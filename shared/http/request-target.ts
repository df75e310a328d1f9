/** The target of a request line. Source: RFC 9112, section 3.2. */
interface RequestTarget {
  /** Path and query as they were sent. Begins with a slash. */
  readonly path: string;
  /** `host:port` of a target in absolute form. It replaces the header Host. */
  readonly authority?: string;
}

/**
 * Reads a target in origin form (`/path?query`) or in absolute form (`http://host/path?query`), which a server must accept too. Returns undefined for
 * any other: `*`, or a host that cannot be read. Nothing is decoded or normalised.
 */
export function readTarget(target: string): RequestTarget | undefined {
  if (target.startsWith("/")) return { path: target };
  const [, authority, rest = ""] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(target) ?? [];
  if (authority === undefined || !URL.canParse(`http://${authority}/`)) return undefined;
  return { path: rest.startsWith("/") ? rest : `/${rest}`, authority };
}
