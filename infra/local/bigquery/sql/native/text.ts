import { BIGINT, DOUBLE, VARCHAR } from "@duckdb/node-api";
import { floatText, rounded } from "./float-text.ts";
import type { Cell, NativeFunction } from "./register.ts";

const DELIMITERS = ' \t\n\r\v\f[](){}/|<>!?@"^#$&~_,.:;*%+-';

function initialCapitals(text: string, delimiters: string): string {
  let atStart = true;
  let result = "";
  for (const character of text) {
    result += atStart ? character.toUpperCase() : character.toLowerCase();
    atStart = delimiters.includes(character);
  }
  return result;
}

/** The position of the n-th occurrence, from 1; 0 if there is none. A negative start searches backwards from the end. */
function position(text: string, part: string, start: bigint, nth: bigint): bigint {
  if (start === 0n) throw new Error("Position must be non-zero");
  if (nth < 1n) throw new Error("Occurrence must be positive");
  const [characters, wanted] = [[...text], [...part]];
  if (wanted.length === 0) return 0n;
  const matches = (at: number) => wanted.every((character, index) => characters[at + index] === character);
  const step = start > 0n ? 1 : -1;
  let left = nth;
  const first = start > 0n ? Number(start) - 1 : Math.min(characters.length + Number(start), characters.length - wanted.length);
  for (let at = first; at >= 0 && at < characters.length; at += step) {
    if (!matches(at)) continue;
    left -= 1n;
    if (left === 0n) return BigInt(at + 1);
  }
  return 0n;
}

function translate(text: string, from: string, to: string): string {
  const [sources, targets] = [[...from], [...to]];
  if (new Set(sources).size < sources.length) throw new Error("Duplicate character in TRANSLATE source characters");
  return [...text].map((character) => (sources.includes(character) ? (targets[sources.indexOf(character)] ?? "") : character)).join("");
}

/** The letters whose case folding is not the lower case of their upper case: dotless i, and Cherokee, which folds to upper case. */
const FOLDS_TO_UPPER = /[\u13a0-\u13f5\u13f8-\u13fd\uab70-\uabbf]/u;

/** Full case folding, code point by code point: the lower case of a whole text would tell a final sigma from another one. */
function caseFolded(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return Array.from(text, (letter) => {
    if (letter === "\u0131") return letter;
    return FOLDS_TO_UPPER.test(letter) ? letter.toUpperCase() : letter.toLowerCase().toUpperCase().toLowerCase();
  }).join("");
}

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"];

function normalized(text: string, form: string): string {
  if (!FORMS.includes(form)) throw new Error(`${form} is not a valid normalization mode; these are ${FORMS.join(", ")}`);
  return text.normalize(form);
}

function text(name: string, arity: number, of: (...args: readonly string[]) => string): NativeFunction {
  const parameterTypes = Array.from({ length: arity }, () => VARCHAR);
  return { name, parameterTypes, returnType: VARCHAR, of: (...args: readonly Cell[]) => of(...args.map(String)) };
}

/** Functions of text for which DuckDB has none, or one that counts graphemes instead of code points. */
export const TEXT_FUNCTIONS: readonly NativeFunction[] = [
  { name: "bq_float_text", parameterTypes: [DOUBLE], returnType: VARCHAR, of: (value) => floatText(Number(value)) },
  {
    name: "bq_round",
    parameterTypes: [DOUBLE, BIGINT],
    returnType: DOUBLE,
    of: (value, decimals) => rounded(Number(value), Number(decimals), "nearest"),
  },
  {
    name: "bq_trunc",
    parameterTypes: [DOUBLE, BIGINT],
    returnType: DOUBLE,
    of: (value, decimals) => rounded(Number(value), Number(decimals), "towards zero"),
  },
  {
    name: "bq_instr",
    parameterTypes: [VARCHAR, VARCHAR, BIGINT, BIGINT],
    returnType: BIGINT,
    of: (value, part, start, nth) => position(String(value), String(part), BigInt(start), BigInt(nth)),
  },
  text("bq_initcap", 1, (value = "") => initialCapitals(value, DELIMITERS)),
  text("bq_initcap_of", 2, (value = "", delimiters = "") => initialCapitals(value, delimiters)),
  // Unicode's mapping without a language's own rules, as ICU's in GoogleSQL's reference implementation.
  text("bq_lower_case", 1, (value = "") => value.toLowerCase()),
  text("bq_upper_case", 1, (value = "") => value.toUpperCase()),
  text("bq_reverse", 1, (value = "") => [...value].reverse().join("")),
  text("bq_translate", 3, (value = "", from = "", to = "") => translate(value, from, to)),
  text("bq_normalize", 2, (value = "", form = "") => normalized(value, form)),
  text("bq_casefold", 2, (value = "", form = "") => caseFolded(normalized(value, form))),
  text("bq_json_escaped", 1, (value = "") =>
    JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029").replaceAll("\u007f", "\\u007f"),
  ),
];
