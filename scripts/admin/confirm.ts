import type { Session } from "./session.ts";
import { UsageError } from "./usage-error.ts";

/** Asks before something is destroyed; `yes` is `--yes`. Throws a UsageError unless somebody agrees: then nothing is to be done. */
export async function confirm({ ask }: Pick<Session, "ask">, question: string, yes: boolean): Promise<void> {
  if (!yes) agreed(await ask(`${question} [y/N] `), (answer) => /^y(es)?$/i.test(answer));
}

/** Asks for a word to be typed, before something is destroyed that nothing brings back. */
export async function confirmTyped({ ask }: Pick<Session, "ask">, question: string, word: string, yes: boolean): Promise<void> {
  if (!yes) agreed(await ask(`${question}\nType ${word} to go on: `), (answer) => answer === word);
}

function agreed(answer: string | undefined, isYes: (answer: string) => boolean): void {
  if (answer === undefined) throw new UsageError("Nobody is there to be asked, so nothing was changed; --yes goes on without asking");
  if (!isYes(answer.trim())) throw new UsageError("Nothing was changed");
}
