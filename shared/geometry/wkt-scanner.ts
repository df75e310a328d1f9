const SPACES = " \t\r\n\f\v";
const WORD = /[A-Za-z]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const TOKEN = /[^\s(),;]+/y;
const NOT_FINITE = /^[+-]?(nan|inf|infinity)$/i;
/** How much of a faulty text a message repeats. */
const SEEN_MAX = 24;
/** Nearer to 0 than this is 0 (degrees; far below the size of an atom), so that exact arithmetic cannot underflow. */
const TINY = 1e-30;

/** What is wrong with a text in WKT; its message is for the customer. */
export class FaultyWkt extends Error {}

/** Reads a text in WKT from the left, skipping white space. Each step takes time in proportion to what it reads. */
export class WktScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What stands here, for messages: a few characters and their position, which counts from 1. */
  seen(): string {
    if (this.atEnd()) return "the end of the text";
    const token = this.#peek(TOKEN) || this.#text.charAt(this.#at);
    return `${excerpt(token)} (position ${this.#at + 1})`;
  }

  /** The letters that stand here; "" for none. */
  word(): string {
    const word = this.#peek(WORD);
    this.#pass(word);
    return word;
  }

  /** Takes one of these characters and gives it. Throws a FaultyWkt for any other. */
  expect(characters: string, place: string): string {
    const found = this.#text.charAt(this.#at);
    if (found === "" || !characters.includes(found)) {
      const wanted = [...characters].map((character) => `"${character}"`).join(" or ");
      throw new FaultyWkt(`${place}: ${wanted} is expected, not ${this.seen()}`);
    }
    this.#at += 1;
    this.#skipSpace();
    return found;
  }

  /** Whether a number stands here. */
  atNumber(): boolean {
    return !this.#text.startsWith(",", this.#at) && this.#peek(NUMBER) !== "";
  }

  /** Takes a finite number. `text` is how it was written, shortened for messages. Throws a FaultyWkt. */
  number(place: string, name: string): { readonly value: number; readonly text: string } {
    const written = this.#peek(NUMBER);
    const value = Number(written);
    if (written !== "" && Number.isFinite(value)) {
      this.#pass(written);
      return { value: Math.abs(value) < TINY ? 0 : value, text: excerpt(written, String) };
    }
    const token = this.#peek(TOKEN);
    if (written !== "" || NOT_FINITE.test(token))
      throw new FaultyWkt(`${place}: ${name} ${excerpt(token, String)} is not a finite number; degrees such as 10.75 are expected`);
    throw new FaultyWkt(`${place}: a ${name} is expected, not ${this.seen()}`);
  }

  #pass(token: string): void {
    this.#at += token.length;
    this.#skipSpace();
  }

  #skipSpace(): void {
    while (!this.atEnd() && SPACES.includes(this.#text.charAt(this.#at))) this.#at += 1;
  }

  #peek(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text) ? this.#text.slice(this.#at, pattern.lastIndex) : "";
  }
}

/** A text as messages repeat it: quoted, and shortened where it is long. */
export function excerpt(text: string, quote: (text: string) => string = quoted): string {
  return text.length > SEEN_MAX ? `${quote(text.slice(0, SEEN_MAX))}...` : quote(text);
}

/** What is not ASCII is escaped, since some of it looks like a space or a minus and is none. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
