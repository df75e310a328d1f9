import { listCustomers, setLimits } from "../../../shared/accounts/customers-admin.ts";
import { CELLS_MIN } from "../../../shared/maps/cell-budget.ts";
import { MAPS_MAX } from "../../../shared/realtime/snapshots.ts";
import { requireCustomer } from "../find.ts";
import { count, countTo } from "../options.ts";
import { list, table } from "../print.ts";
import type { Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb } from "../verb.ts";
import { quotaRows, quotas } from "./table.ts";
import { promisedTo } from "./tick.ts";

export default defineVerb({
  words: "UID",
  more: quotas.map(({ option, bounds }) => `  ${`--${option} N`.padEnd(20)} ${bounds}\n`).join(""),
  options: {
    "running-jobs": count,
    "unfinished-jobs": count,
    "exports-per-day": count,
    maps: countTo(MAPS_MAX, "the headcounts of all maps are in one document"),
    "geometry-mib": count,
    "monitored-cells": count,
    "gb-per-day": count,
  } satisfies Record<(typeof quotas)[number]["option"], typeof count | ReturnType<typeof countTo>>,
  run: async ([uid = ""], values, session) => {
    const { name } = await requireCustomer(session, uid);
    const asked = quotas.flatMap(({ limit, option, unit }) => {
      const value = values[option];
      return value === undefined ? [] : [{ limit, option, value, stored: value * unit }];
    });
    if (asked.length === 0) throw new UsageError(`Which quota? ${list(quotas.map(({ option }) => `--${option} N`))}`);
    const cells = values["monitored-cells"];
    if (cells !== undefined) await warnIfOversold(uid, cells, session);
    if (cells !== undefined && cells < CELLS_MIN) session.note(`With fewer than ${CELLS_MIN} monitored cells no map can be monitored`);
    await setLimits(session.db, uid, Object.fromEntries(asked.map(({ limit, stored }) => [limit, stored])));
    await session.record("quota.set", uid, list(asked.map(({ option, value }) => `${option} ${value}`)));
    const { limits } = await requireCustomer(session, uid);
    return { json: { uid, limits }, lines: [`Quotas of ${name}:`, ...table(quotaRows(limits))] };
  },
});

/** Says so if this budget promises more of a tick than it may read, or nearly. */
async function warnIfOversold(uid: string, monitoredCells: number, session: Session): Promise<void> {
  const all = await listCustomers(session.db);
  const changed = all.map((customer) =>
    customer.uid === uid ? { ...customer, limits: { ...customer.limits, monitoredCells } } : customer,
  );
  const { warning } = await promisedTo(changed, session, session.now());
  if (warning !== undefined) session.note(warning);
}
