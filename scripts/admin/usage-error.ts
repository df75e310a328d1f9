/** A mistake of whoever typed the command: its text says what was wrong and what would be right. */
export class UsageError extends Error {}

/** The words that lead to a command, as they are typed. */
export const COMMAND = "npm run admin --";
