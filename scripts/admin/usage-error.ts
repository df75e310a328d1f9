import { closestName } from "../../shared/http/closest-name.ts";

/** A wrong command. The message says what is wrong and what is right. */
export class UsageError extends Error {}

/** The command line that starts the tool. */
export const COMMAND = "npm run admin --";

/** Returns the end of a message about an unknown word: the known one that was probably meant, or else what there is. */
export function hintFor(word: string, known: readonly string[], otherwise: string): string {
  const meant = closestName(word, known);
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}
