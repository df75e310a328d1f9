const NAME_LENGTH_MAX = 128;

/** Returns the RFC 6901 pointer to a member of a request. Names longer than any valid one are cut, so as not to echo a megabyte. */
export function pointerTo(path: readonly unknown[]): string {
  return path.map((key) => `/${cut(String(key)).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function cut(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name;
}
