import type { Session } from "./session.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Asks for confirmation before something is destroyed; `yes` (`--yes`) skips the question. Throws a UsageError unless the answer is
 * yes.
 * @param left what is left to do if the answer is no, for the error
 */
export async function confirm({ ask }: Pick<Session, "ask">, question: string, yes: boolean, left = ""): Promise<void> {
  if (!yes) agreed(await ask(`${question} [y/N] `), (answer) => /^y(es)?$/i.test(answer), left);
}

/** Asks the operator to type a word before an irreversible action. Throws a UsageError unless it matches. */
export async function confirmTyped({ ask }: Pick<Session, "ask">, question: string, word: string, yes: boolean): Promise<void> {
  if (!yes) agreed(await ask(`${question}\nType ${word} to continue: `), (answer) => answer === word);
}

function agreed(answer: string | undefined, isYes: (answer: string) => boolean, left = ""): void {
  if (answer === undefined) throw new UsageError(`There was no answer, so nothing was changed; use --yes to skip the question${left}`);
  if (!isYes(answer.trim())) throw new UsageError(`Nothing was changed${left}`);
}
