/** A block of commands, and the line of its page that the block begins at. */
interface Pasted {
  readonly line: number;
  readonly commands: string;
}

interface Word {
  readonly text: string;
  /** The variables outside of quotes. */
  readonly bare: readonly string[];
  /** Whether its value holds a blank, as far as the page tells. */
  readonly hasBlank: boolean;
  /** Whether a question mark is outside of quotes. */
  readonly hasPattern: boolean;
}

const BLANK = /\s/;
const WORD_END = /[\s;|&<>()]/;
const DECLARATIONS = new Set(["export", "local", "readonly"]);

/**
 * Returns a line for each place of three kinds in a page's blocks that bash takes but an interactive zsh, the shell of macOS, does not: a
 * comment, which zsh runs as a command; a variable of several words outside of quotes, which zsh does not split; a question mark outside of
 * quotes, which zsh refuses where no file matches. A variable has several words if the page assigns it a text with a blank.
 * @param blocks the blocks of one page, in its order: a variable of one is there in the next
 */
export function pastedFaults(blocks: readonly Pasted[]): string[] {
  const faults: string[] = [];
  const several = new Set<string>();
  for (const { line, commands } of blocks) new Reader(commands, line + 1, several, faults).readCommands();
  return faults;
}

/** Reads commands as a shell does, as far as the pages need it: no here-documents and no backquotes. */
class Reader {
  readonly #text: string;
  readonly #firstLine: number;
  readonly #several: Set<string>;
  readonly #faults: string[];
  #at = 0;

  /** @param several the variables of several words, which assignments change */
  constructor(text: string, firstLine: number, several: Set<string>, faults: string[]) {
    this.#text = text;
    this.#firstLine = firstLine;
    this.#several = several;
    this.#faults = faults;
  }

  /** Reads until the end, or until the parenthesis that closes a substitution. */
  readCommands(isSubstitution = false): void {
    let depth = 0;
    let mayAssign = true;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === ")" && isSubstitution && depth === 0) return;
      if (char === "#") this.#readComment();
      else if (WORD_END.test(char)) {
        if (char === "(") depth++;
        if (char === ")") depth--;
        if (!BLANK.test(char) || char === "\n") mayAssign = true;
        this.#at++;
      } else mayAssign = this.#note(this.#readWord(), mayAssign);
    }
  }

  /** Notes what a word assigns, or what is wrong about it. Returns whether the next word may assign, too. */
  #note({ text, bare, hasBlank, hasPattern }: Word, mayAssign: boolean): boolean {
    const [, assigned] = /^(\w+)=/.exec(text) ?? [];
    if (mayAssign && assigned !== undefined) {
      if (hasBlank) this.#several.add(assigned);
      else this.#several.delete(assigned);
      return true;
    }
    for (const name of bare)
      if (this.#several.has(name))
        this.#fault(`zsh does not split $${name} into words; a function takes options: with_${name.toLowerCase()}() { "$@" --option; }`);
    if (hasPattern) this.#fault(`zsh looks for files that match ${text}; put it in quotes`);
    return mayAssign && (DECLARATIONS.has(text) || text === "{");
  }

  #readWord(): Word {
    const start = this.#at;
    const bare: string[] = [];
    let hasBlank = false;
    let hasPattern = false;
    while (this.#at < this.#text.length && !WORD_END.test(this.#text.charAt(this.#at))) {
      const char = this.#text.charAt(this.#at);
      if (char === "'") hasBlank = BLANK.test(this.#readSingleQuotes()) || hasBlank;
      else if (char === '"') hasBlank = this.#readDoubleQuotes() || hasBlank;
      else if (char === "$") bare.push(...this.#readExpansion());
      else {
        hasPattern ||= char === "?";
        this.#at += char === "\\" ? 2 : 1;
      }
    }
    return {
      text: this.#text.slice(start, this.#at),
      bare,
      hasBlank: hasBlank || bare.some((name) => this.#several.has(name)),
      hasPattern,
    };
  }

  #readSingleQuotes(): string {
    const end = this.#text.indexOf("'", this.#at + 1);
    const quoted = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#at += quoted.length + 2;
    return quoted;
  }

  /** Returns whether a blank is in the quotes. */
  #readDoubleQuotes(): boolean {
    let hasBlank = false;
    this.#at++;
    while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== '"') {
      const char = this.#text.charAt(this.#at);
      if (char === "$") hasBlank = this.#readExpansion().some((name) => this.#several.has(name)) || hasBlank;
      else {
        hasBlank ||= BLANK.test(char);
        this.#at += char === "\\" ? 2 : 1;
      }
    }
    this.#at++;
    return hasBlank;
  }

  /** Reads what a dollar begins. Returns the variable's name, and nothing for a substitution. */
  #readExpansion(): string[] {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith("$(")) {
      this.#at += 2;
      this.readCommands(true);
      this.#at++;
      return [];
    }
    const [whole = "$", name] = /^\$(?:\{(\w+)[^}]*\}|(\w+)|\?)/.exec(rest)?.filter((part) => part !== undefined) ?? [];
    this.#at += whole.length;
    return name === undefined ? [] : [name];
  }

  #readComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#fault("zsh runs a comment that is typed as a command; say it in the text around the block");
    this.#at = end < 0 ? this.#text.length : end;
  }

  #fault(what: string): void {
    const line = this.#firstLine + this.#text.slice(0, this.#at).split("\n").length - 1;
    this.#faults.push(`${line}: ${what}`);
  }
}
