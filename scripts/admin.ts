import { userInfo } from "node:os";
import { createInterface } from "node:readline/promises";
import { runAdmin } from "./admin/run.ts";
import { messageOf } from "./error-message.ts";

/** `npm run admin -- NOUN VERB …`: the operator's tool. Answers go to standard output, everything else to standard error. */
async function ask(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // End of input means no answer.
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
    // Piped input does not echo a newline after the question.
    if (!process.stdin.isTTY) process.stderr.write("\n");
  }
}

let exitCode = 0;
try {
  await runAdmin(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    note: (line) => process.stderr.write(`${line}\n`),
    ask,
    now: () => new Date(),
    user: userInfo().username,
  });
} catch (error) {
  console.error(messageOf(error));
  exitCode = 1;
}
// The clients keep connections open, so the process exits explicitly once its output is flushed.
process.stdout.write("", () => process.exit(exitCode));
