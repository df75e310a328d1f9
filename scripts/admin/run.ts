import { closestName } from "../../shared/http/closest-name.ts";
import { verbs } from "./catalogue.ts";
import type { AdminContext } from "./context.ts";
import { helpOf, helpOfVerb } from "./help.ts";
import { COMMAND, UsageError } from "./usage-error.ts";

const HELP = ["--help", "-h", "help"];

/** Runs one command of the operator's tool. Throws a UsageError for a wrong command; errors of the deployment pass through. */
export async function runAdmin(args: readonly string[], context: AdminContext): Promise<void> {
  const [first, second, ...rest] = args;
  if (first === undefined || HELP.includes(first)) return context.out(helpOf());
  if (Object.hasOwn(verbs, first)) return runVerb(first, args.slice(1), context);
  const nouns = [...new Set(Object.keys(verbs).flatMap((name) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : [])))];
  const alone = Object.keys(verbs).filter((name) => !name.includes(" "));
  if (!nouns.includes(first)) throw unknown(first, [...nouns, ...alone]);
  if (second === undefined || HELP.includes(second)) return context.out(helpOf(first));
  const ofNoun = Object.keys(verbs).flatMap((name) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));
  if (!ofNoun.includes(second)) throw unknown(second, ofNoun, `${first} `);
  return runVerb(`${first} ${second}`, rest, context);
}

async function runVerb(name: string, args: readonly string[], context: AdminContext): Promise<void> {
  const entry = verbs[name];
  if (!entry) throw unknown(name, Object.keys(verbs));
  const { default: verb } = await entry.load();
  try {
    const { common, run } = verb.prepare(name, args);
    if (common.help) return context.out(helpOfVerb(name, entry.does, verb));
    const { connect } = await import("./connect.ts");
    const { json, lines } = await run(await connect(common, context));
    context.out(common.json ? `${JSON.stringify(json, undefined, 2)}\n` : lines.map((line) => `${line}\n`).join(""));
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error;
  }
}

function unknown(word: string, known: readonly string[], before = ""): UsageError {
  const meant = closestName(word, known);
  const hint = meant === undefined ? `verbs: ${known.join(", ")}` : `did you mean ${COMMAND} ${before}${meant}?`;
  return new UsageError(`${JSON.stringify(word)} is not a ${before ? `verb of ${before.trim()}` : "verb"}; ${hint}`);
}
