import { BigQueryError } from "../../model.ts";
import { isPositional } from "../positional.ts";
import { RESERVED } from "./keywords.ts";
import { tokenize } from "./lexer.ts";
import { position, syntaxError } from "./syntax-error.ts";
import type { Token } from "./token.ts";

function described(token: Token): string {
  if (token.kind === "end") return "end of script";
  if (token.kind === "symbol") return `"${token.text}"`;
  if (token.kind === "name" && RESERVED.has(token.text.toUpperCase())) return `keyword ${token.text.toUpperCase()}`;
  if (token.kind === "name" || token.kind === "quoted-name") return `identifier "${token.text}"`;
  if (token.kind === "int") return `integer literal "${token.text}"`;
  if (token.kind === "float") return `floating point literal "${token.text}"`;
  if (token.kind === "parameter") return isPositional(token.text) ? '"?"' : '"@"';
  return `${token.kind} literal`;
}

/** A reader of tokens with a current position. Every `take` advances, every `expect` throws a syntax error in BigQuery's words. */
export class Cursor {
  readonly sql: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(sql: string) {
    this.sql = sql;
    this.#tokens = tokenize(sql);
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[this.#index + ahead] ?? this.#tokens.at(-1);
    return token ?? { kind: "end", text: "", at: this.sql.length, end: this.sql.length };
  }

  /** The end of the token before the current position. */
  get end(): number {
    return this.#tokens[this.#index - 1]?.end ?? 0;
  }

  next(): Token {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  /** Whether one of these words comes next, ignoring case. Quoted names are never words. */
  isWord(...words: readonly string[]): boolean {
    return words.every((word, ahead) => this.peek(ahead).kind === "name" && this.peek(ahead).text.toUpperCase() === word);
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "symbol" && token.text === symbol;
  }

  /** Whether these symbols come next without a blank between them: the lexer leaves `>>` apart, which also ends two types. */
  isJoined(...symbols: readonly string[]): boolean {
    return symbols.every(
      (symbol, ahead) => this.isSymbol(symbol, ahead) && (ahead === 0 || this.peek(ahead - 1).end === this.peek(ahead).at),
    );
  }

  takeWord(...words: readonly string[]): boolean {
    if (!this.isWord(...words)) return false;
    this.#index += words.length;
    return true;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index += 1;
    return true;
  }

  expectWord(...words: readonly string[]): void {
    for (const word of words) if (!this.takeWord(word)) throw this.unexpected(`keyword ${word}`);
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
  }

  /** Whether the next token is a name that needs no quotes. */
  isName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "quoted-name" || (token.kind === "name" && !RESERVED.has(token.text.toUpperCase()));
  }

  takeName(): string | undefined {
    return this.isName() ? this.next().text : undefined;
  }

  expectName(): string {
    const name = this.takeName();
    if (name === undefined) throw this.unexpected("an identifier");
    return name;
  }

  /** Takes a name after a dot, where keywords are also names. */
  expectField(): string {
    const token = this.next();
    if (token.kind === "name" || token.kind === "quoted-name") return token.text;
    throw this.failAt(token, `Unexpected ${described(token)}`);
  }

  /** Takes an optional `[AS] alias`. */
  takeAlias(): string | undefined {
    return this.takeWord("AS") ? this.expectName() : this.takeName();
  }

  list<Item>(read: () => Item): Item[] {
    const items = [read()];
    while (this.takeSymbol(",")) items.push(read());
    return items;
  }

  parenthesised<Item>(read: () => Item): Item {
    this.expectSymbol("(");
    const item = read();
    this.expectSymbol(")");
    return item;
  }

  failAt(token: Token, message: string): BigQueryError {
    return syntaxError(this.sql, token.at, message);
  }

  unexpected(expected?: string): BigQueryError {
    const token = this.peek();
    const got = described(token);
    return this.failAt(token, expected === undefined ? `Unexpected ${got}` : `Expected ${expected} but got ${got}`);
  }

  /** Returns an error for GoogleSQL that the local BigQuery does not support, which is no error of syntax. `instead`: what works. */
  unsupported(what: string, instead?: string): BigQueryError {
    const hint = instead === undefined ? "" : `: ${instead}`;
    const at = position(this.sql, this.peek().at);
    return new BigQueryError("invalidQuery", `${what} is not supported by the local BigQuery${hint} at ${at}`, "query");
  }
}
