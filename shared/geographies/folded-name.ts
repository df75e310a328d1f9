/** Letters that Unicode does not split into a letter and a mark, and what an English keyboard has for them. Those of Sami names are among them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ŧ: "t", ŋ: "n", ı: "i", ĸ: "k", ǥ: "g", ʒ: "z" },
  ...{ æ: "ae", œ: "oe", þ: "th" },
};

/** TRANSLATE of GoogleSQL maps a letter to one letter, so that each that becomes two is replaced. */
const PAIRS = Object.entries(LETTERS);
const SINGLE = PAIRS.filter(([, plain]) => plain.length === 1);
const DOUBLE = PAIRS.filter(([, plain]) => plain.length > 1);

/**
 * Returns the GoogleSQL of a text without letter case and diacritics: `voru` of `Võru`, `tromso` of `Tromsø`. Folding a part of a name gives a part of
 * the folded name, so that whatever is found by its exact spelling is found by this, too.
 * @param sql an expression of a STRING
 */
export function foldedSql(sql: string): string {
  // LOWER would tell a final sigma from another one, and leave ß.
  const plain = `REGEXP_REPLACE(NORMALIZE_AND_CASEFOLD(${sql}, NFD), r'\\pM', '')`;
  const [from, to] = [SINGLE.map(([letter]) => letter).join(""), SINGLE.map(([, letter]) => letter).join("")];
  return DOUBLE.reduce(
    (text, [letter, letters]) => `REPLACE(${text}, '${letter}', '${letters}')`,
    `TRANSLATE(${plain}, '${from}', '${to}')`,
  );
}

/** Returns a text without letter case and diacritics, as `foldedSql` does. */
export function folded(text: string): string {
  // Letter by letter: the lower case of a whole text would tell a final sigma from another one. The upper case of ß is SS.
  const plain = Array.from(text.normalize("NFD").replace(/\p{M}/gu, ""), (letter) => letter.toLowerCase().toUpperCase().toLowerCase());
  return plain.map((letter) => LETTERS[letter] ?? letter).join("");
}
