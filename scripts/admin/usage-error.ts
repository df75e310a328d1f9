/** A wrong command. The message says what is wrong and what is right. */
export class UsageError extends Error {}

/** The command line that starts the tool. */
export const COMMAND = "npm run admin --";
