import { text } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { checkTarget, RECONCILE_HELP, RECONCILE_OPTIONS, reconcile } from "./reconcile.ts";
import { instant } from "./snapshot-time.ts";

export default defineVerb({
  words: "DATABASE",
  more: `  --since T            the time of the state that the database has: its clone's minute, or its backup's time
  --present NAME       the database to compare with (default: the one that the functions use). Once they use DATABASE: the former one
${RECONCILE_HELP}`,
  options: { since: text, present: text, ...RECONCILE_OPTIONS },
  run: async ([database = ""], { since, ...options }, session) => {
    checkTarget(session, database, options.present);
    if (since === undefined) throw new UsageError("--since T is missing: the time of the state that the database has");
    return reconcile(session, database, instant("--since", since), { ...options, isUsed: true });
  },
});
