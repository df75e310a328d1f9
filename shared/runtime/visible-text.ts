import * as v from "valibot";

/**
 * Characters that nobody sees and that make one name look like another, or a line of a log read differently: controls, the soft hyphen, marks
 * and overrides of the writing direction (Unicode UAX #9), zero-width spaces and joiners, line and paragraph separators, the byte order mark, what else
 * Unicode says to ignore (Default_Ignorable_Code_Point), blanks of Hangul and Braille, and code points that are no characters. Each is of one
 * UTF-16 unit, so that the class means the same in every program.
 */
const INVISIBLE =
  "\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufdd0-\\ufdef\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff";
/** The same of two units. */
const INVISIBLE_PAIRS = "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\p{Noncharacter_Code_Point}";
/** The sign by which a symbol becomes an emoji is seen behind a symbol, and in a keycap. */
const LONE_EMOJI_SIGN = "(?<!\\p{Extended_Pictographic})\\ufe0f(?!\\u20e3)";
const CLASSES = {
  line: `\\x00-\\x1f\\x7f-\\x9f${INVISIBLE}`,
  /** Several lines: a line feed and a tab are allowed. */
  lines: `\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${INVISIBLE}`,
} as const;

type Kind = keyof typeof CLASSES;
const faultsOf = (kind: Kind): RegExp => new RegExp(`[${CLASSES[kind]}${INVISIBLE_PAIRS}]|${LONE_EMOJI_SIGN}`, "u");
const FAULTS: Readonly<Record<Kind, RegExp>> = { line: faultsOf("line"), lines: faultsOf("lines") };

/** Returns what is wrong with the first invisible character of a text, with its position from 1. Undefined for a text without any. */
export function invisibleFault(text: string, kind: Kind = "line"): string | undefined {
  const index = text.search(FAULTS[kind]);
  if (index < 0) return undefined;
  const position = [...text.slice(0, index)].length + 1;
  const code = (text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `must hold no control, text-direction or invisible characters; character ${position} is U+${code}`;
}

/** A check of a schema that a text holds no invisible characters. Its error names the first and where it is. */
export function visible(kind: Kind = "line") {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const fault = dataset.typed ? invisibleFault(dataset.value, kind) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  });
}

/** The characters below U+0100 of these: programs write those above in different ways. */
const PATTERN_CLASSES: Readonly<Record<Kind, string>> = {
  line: "\\x00-\\x1f\\x7f-\\x9f\\xad",
  lines: "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad",
};

/**
 * The same as a pattern for the OpenAPI documents, as far as ECMAScript and RE2, which programs in Go use, read patterns alike: its description has to
 * say the rest. With `notBlank`, some character is no white space either.
 */
export function visiblePattern(kind: Kind = "line", { notBlank = false } = {}): string {
  const allowed = `[^${PATTERN_CLASSES[kind]}]*`;
  return `^${allowed}${notBlank ? `[^\\s${PATTERN_CLASSES[kind]}]${allowed}` : ""}$`;
}
