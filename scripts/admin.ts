import { adminTick } from "./admin/tick.ts";
import { Mistake } from "./admin/verb.ts";

/** `npm run admin -- VERB …`: the operator's work. */
const VERBS = { tick: adminTick } as const;

const USAGE = `Usage: npm run admin -- VERB [options]

  tick                 refreshes the headcounts now, as the schedule does every five minutes

Each verb has a --help of its own.
`;

const [verb, ...args] = process.argv.slice(2);
try {
  if (verb === undefined || verb === "--help") process.stdout.write(USAGE);
  else if (verb === "tick") await VERBS.tick(args);
  else throw new Mistake(`"${verb}" is not a verb; these are: ${Object.keys(VERBS).join(", ")}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
