/** A command of the project as a page names it. */
export interface Mention {
  readonly line: number;
  /** `./scripts/NAME` or `npm run NAME`. */
  readonly command: string;
  readonly args: readonly string[];
}

const COMMAND = /(?:\.\/)?\bscripts\/(?<script>[a-z]+)(?![\w./-])|\bnpm run (?:(?:-s|--silent) )?(?<npm>[a-z]+(?:-[a-z]+)*)\b/g;

/**
 * Returns the commands in the inline code of a page and in its blocks that are `sh` or have no language. A line that ends in a backslash goes
 * on.
 */
export function mentions(markdown: string): Mention[] {
  return codeOf(markdown).flatMap(({ line, text }) =>
    [...text.matchAll(COMMAND)].map(({ groups, index, 0: { length } }) => {
      const [rest = ""] = /^[^|;&)#>]*/.exec(text.slice(index + length)) ?? [];
      return { line, command: groups?.script ? `./scripts/${groups.script}` : `npm run ${groups?.npm}`, args: words(rest) };
    }),
  );
}

/** Splits at blanks; a text in quotes is one word. */
function words(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/^(['"])(.*)\1$/, "$2"));
}

function codeOf(markdown: string): { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  let language: string | undefined;
  let continues = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, info] = /^ *```(.*)$/.exec(text) ?? [];
    const line = index + 1;
    if (info !== undefined) language = language === undefined ? info : undefined;
    else if (language === undefined) for (const [, code = ""] of text.matchAll(/`([^`]+)`/g)) found.push({ line, text: code });
    else if (/^(?:sh\b|$)/.test(language)) {
      const last = found.at(-1);
      const part = text.replace(/\\$/, "");
      if (continues && last) last.text += ` ${part.trim()}`;
      else found.push({ line, text: part });
      continues = text.endsWith("\\");
    }
  }
  return found;
}
