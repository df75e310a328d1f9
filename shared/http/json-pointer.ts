const NAME_LENGTH_MAX = 128;

/** The pointer (RFC 6901) to a member of a request. A name longer than any that exists is cut: a client's megabyte is not sent back to it. */
export function pointerTo(path: readonly unknown[]): string {
  return path.map((key) => `/${cut(String(key)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function cut(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
}
