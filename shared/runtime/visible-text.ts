import * as v from "valibot";

/**
 * Characters that nobody sees and that make one name look like another, or a line of a log read differently: controls, the soft hyphen, marks
 * and overrides of the writing direction (Unicode UAX #9), zero-width spaces and joiners, line and paragraph separators, the byte order mark.
 */
const INVISIBLE = "\\xad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb";
const CLASSES = {
  line: `\\x00-\\x1f\\x7f-\\x9f${INVISIBLE}`,
  /** Several lines: a line feed and a tab are allowed. */
  lines: `\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${INVISIBLE}`,
} as const;

type Kind = keyof typeof CLASSES;

/** Returns what is wrong with the first invisible character of a text, with its position from 1. Undefined for a text without any. */
export function invisibleFault(text: string, kind: Kind = "line"): string | undefined {
  const index = text.search(new RegExp(`[${CLASSES[kind]}]`));
  if (index < 0) return undefined;
  const position = [...text.slice(0, index)].length + 1;
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0");
  return `must hold no control, text-direction or zero-width characters; character ${position} is U+${code}`;
}

/** A check of a schema that a text holds no invisible characters. Its error names the first and where it is. */
export function visible(kind: Kind = "line") {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const fault = dataset.typed ? invisibleFault(dataset.value, kind) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  });
}

/** The same as a pattern for the OpenAPI documents. With `notBlank`, some character is no white space either. */
export function visiblePattern(kind: Kind = "line", { notBlank = false } = {}): string {
  const allowed = `[^${CLASSES[kind]}]*`;
  return `^${allowed}${notBlank ? `[^\\s${CLASSES[kind]}]${allowed}` : ""}$`;
}
