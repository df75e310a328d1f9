import { recomputeDaysStatement } from "../../shared/publishing/days-from-hours.ts";
import { type Load, ledgerStatement } from "../../shared/publishing/load.ts";
import { readLedger } from "./ledger.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const COUNTERPARTS: Readonly<Record<string, string>> = { activities_hourly: "activities_daily", activities_daily: "activities_hourly" };
const DAYS_SHOWN_MAX = 5;

/** Is called when a load is over, with the names of the batches that it changed and what receives lines for people. */
type Finish = (loaded: readonly string[], say: (line: string) => void) => Promise<void>;

/**
 * Keeps the days of activities with their hours around a load of one of the two: a load sees what was there when it began. What another load put into
 * the other table meanwhile is made up for, and it is told what became of the days, and which of them have no hours yet.
 */
export async function keepDaysInStep(target: Target, load: Load): Promise<Finish> {
  const counterpart = COUNTERPARTS[load.table];
  if (counterpart === undefined) return async () => {};
  const read = () => readLedger(target, counterpart, ledgerStatement({ ...load, table: counterpart }));
  const before = await read();
  const isHourly = load.table === "activities_hourly";
  return async (loaded, say) => {
    let after = await read();
    // A load of hours makes a version of the days that it found.
    const expected = (name: string): number | undefined => {
      const version = before.get(name)?.version;
      return version === undefined || !isHourly ? version : version + 1;
    };
    if (loaded.some((name) => after.get(name)?.version !== expected(name))) {
      await query(target, recomputeDaysStatement(load), { table: load.table });
      after = await read();
    }
    if (!isHourly)
      return warnOfMissingHours(
        loaded.filter((name) => !after.has(name)),
        say,
      );
    for (const name of loaded) {
      const days = after.get(name);
      if (days) say(`mobility.activities_daily ${name}: stays_dwell_minutes follow from these hours now, version ${days.version}`);
    }
  };
}

function warnOfMissingHours(days: readonly string[], say: (line: string) => void): void {
  if (days.length === 0) return;
  const shown = `${days.slice(0, DAYS_SHOWN_MAX).join(", ")}${days.length > DAYS_SHOWN_MAX ? ", …" : ""}`;
  say(
    `Warning: mobility.activities_hourly has no hours of ${shown}: until they are loaded, stays_dwell_minutes are the file's, and who keeps those can tell withheld hours from published ones. Load hours before their days`,
  );
}
