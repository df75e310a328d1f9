const SPACES = " \t\r\n\f\v";
const WORD = /[A-Za-z]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;
const TOKEN = /[^\s(),;]+/y;
const NOT_FINITE = /^[+-]?(nan|inf|infinity)$/i;
/** How many characters of an invalid text a message quotes. */
const SEEN_MAX = 24;
/** Values closer to 0 than this become 0 (degrees; far below the size of an atom), so that exact arithmetic cannot underflow. */
const TINY = 1e-30;

/** An error in a WKT text. Its message is for the customer. */
export class FaultyWkt extends Error {}

/** Scans a WKT text from the left, skipping white space. Each step takes time proportional to what it reads. */
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

  /** Returns the text at the current position for messages: a few characters and their position, counted from 1. */
  seen(): string {
    if (this.atEnd()) return "the end of the text";
    const token = this.#peek(TOKEN) || this.#text.charAt(this.#at);
    return `${excerpt(token)} (position ${this.#at + 1})`;
  }

  /** Consumes and returns the letters at the current position; "" if there are none. */
  word(): string {
    const word = this.#peek(WORD);
    this.#pass(word);
    return word;
  }

  /** Consumes and returns one of these characters. Throws a FaultyWkt for any other. */
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

  /** Whether there is a number at the current position. */
  atNumber(): boolean {
    return !this.#text.startsWith(",", this.#at) && this.#peek(NUMBER) !== "";
  }

  /** Consumes a finite number. `text` is its source text, shortened for messages. Throws a FaultyWkt. */
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
    const isComma = name === "latitude" && this.#text.startsWith(",", this.#at);
    const hint = isComma ? "; a point is a longitude and a latitude with a space between them" : "";
    throw new FaultyWkt(`${place}: a ${name} is expected, not ${this.seen()}${hint}`);
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

/** Quotes a text for messages, and shortens a long one. */
export function excerpt(text: string, quote: (text: string) => string = quoted): string {
  return text.length > SEEN_MAX ? `${quote(text.slice(0, SEEN_MAX))}...` : quote(text);
}

/** Escapes characters outside ASCII, since some look like a space or a minus but are not. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
