import { instant, text } from "../options.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { originOf, sinceOf } from "./origin.ts";
import { RECONCILE_HELP, RECONCILE_OPTIONS, reconcile } from "./reconcile.ts";
import { checkTarget } from "./restored-name.ts";

export default defineVerb({
  words: "DATABASE",
  more: `  --since T            the time of the state that the database has (default: what is recorded of it). A later one is refused
  --present NAME       the database to compare with (default: the one that the functions use). Once they use DATABASE: the former one
${RECONCILE_HELP}`,
  options: { since: text, present: text, ...RECONCILE_OPTIONS },
  run: async ([database = ""], { since, ...options }, session) => {
    if (options.present === undefined && database === session.config.databases.main)
      throw new UsageError(`The functions use ${database}. If it was restored, name with --present the database that they used before`);
    checkTarget(session, database, options.present);
    const origin = await originOf(session, database);
    const from = sinceOf(database, origin, since === undefined ? undefined : instant("--since", since));
    // Before the functions use it, nothing was granted in it: all of its access is that of an older state.
    const isUsed = database === session.config.databases.main;
    return reconcile(session, database, from, { ...options, ...(isUsed && { usedSince: origin.createTime }) });
  },
});
