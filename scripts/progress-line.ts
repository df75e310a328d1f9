interface Output {
  write(text: string): unknown;
}

/** Output in which a line may grow. A line of another kind ends an unfinished one first. */
export class ProgressLine {
  readonly #output: Output;
  #isUnfinished = false;

  constructor(output: Output = process.stdout) {
    this.#output = output;
  }

  /** Adds a step to the line that grows: `   queued 0 % → running 0 %`. Begins another if it was ended meanwhile. */
  grow(step: string): void {
    this.#output.write(`${this.#isUnfinished ? " → " : "   "}${step}`);
    this.#isUnfinished = true;
  }

  /** Ends the line that grows, if there is one. */
  end(): void {
    if (this.#isUnfinished) this.#output.write("\n");
    this.#isUnfinished = false;
  }

  /** Prints a line of its own. */
  say(line: string): void {
    this.end();
    this.#output.write(`${line}\n`);
  }
}
