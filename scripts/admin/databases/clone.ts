import { instant, text } from "../options.ts";
import { defineVerb } from "../verb.ts";
import { recordOrigin } from "./origin.ts";
import { RECONCILE_HELP, RECONCILE_OPTIONS, reconcile } from "./reconcile.ts";
import { assertAbsent, checkTarget } from "./restored-name.ts";
import { wholeMinute } from "./snapshot-time.ts";

export default defineVerb({
  words: "DATABASE",
  more: `  --at T               the time to copy, to the minute (default: now). Before the last hour: only with point-in-time recovery, at most 7 days
${RECONCILE_HELP}`,
  options: { at: text, ...RECONCILE_OPTIONS },
  run: async ([database = ""], { at, ...options }, session) => {
    const { config, firestoreAdmin, now, note } = session;
    checkTarget(session, database);
    await assertAbsent(session, database);
    const snapshot = wholeMinute(at === undefined ? now() : instant("--at", at));
    await firestoreAdmin.clone(config.databases.main, database, snapshot);
    await recordOrigin(session, database, snapshot);
    note(`${database} has the state of ${config.databases.main} at ${snapshot.toISOString()}`);
    return reconcile(session, database, snapshot, options);
  },
});
