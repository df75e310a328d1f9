/** A link of a page to another place in the project. */
export interface Link {
  readonly line: number;
  /** As written, for example `../shared/README.md#glossary`. */
  readonly target: string;
}

/** Returns the relative links of a page, `#anchors` included. Code is not searched. */
export function relativeLinks(markdown: string): Link[] {
  return withoutFences(markdown).flatMap((text, index) =>
    [...text.replace(/`[^`]*`/g, "").matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/g)]
      .map(([, inline, reference]) => ({ line: index + 1, target: inline ?? reference ?? "" }))
      .filter(({ target }) => !/^[a-z][a-z0-9+.-]*:/i.test(target)),
  );
}

/** Returns the anchors that GitHub gives to the headings of a page; of equal ones the second ends in `-1`. */
export function anchors(markdown: string): Set<string> {
  const found = new Set<string>();
  for (const line of withoutFences(markdown)) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${count}`;
    found.add(anchor);
  }
  return found;
}

/** Returns the lines of a page, with those of fenced blocks empty. */
function withoutFences(markdown: string): string[] {
  let isCode = false;
  return markdown.split("\n").map((line) => {
    const isFence = /^ *```/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? "" : line;
  });
}
