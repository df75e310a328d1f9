import { recomputeDaysStatement } from "../../shared/publishing/days-from-hours.ts";
import type { DaysFromHours } from "../../shared/publishing/fact-table.ts";
import { ledgerStatement } from "../../shared/publishing/load.ts";
import type { Load } from "../../shared/publishing/staged-load.ts";
import { readLedger } from "./ledger.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const DAYS_SHOWN_MAX = 5;

/** Is called when a load is over, with the names of the batches that it changed and what receives lines for people. */
type Finish = (loaded: readonly string[], say: (line: string) => void) => Promise<void>;

/**
 * Keeps days with their hours around a load of one of the two: a load sees what was there when it began. What another load put into
 * the other table meanwhile is made up for, and it is told what became of the days, and which of them have no hours yet.
 */
export async function keepDaysInStep(target: Target, load: Load): Promise<Finish> {
  const rule = load.publication?.daysFromHours;
  if (!rule) return async () => {};
  const isHourly = load.table === rule.hourly;
  const counterpart = isHourly ? rule.daily : rule.hourly;
  const read = () => readLedger(target, counterpart, ledgerStatement({ ...load, table: counterpart }));
  const before = await read();
  return async (loaded, say) => {
    let after = await read();
    // A load of hours makes a version of the days that it found.
    const expected = (name: string): number | undefined => {
      const version = before.get(name)?.version;
      return version === undefined || !isHourly ? version : version + 1;
    };
    if (loaded.some((name) => after.get(name)?.version !== expected(name))) {
      await query(target, recomputeDaysStatement(load, rule), { table: load.table });
      after = await read();
    }
    if (!isHourly)
      return warnOfMissingHours(
        rule,
        loaded.filter((name) => !after.has(name)),
        say,
      );
    for (const name of loaded) {
      const days = after.get(name);
      if (days) say(`mobility.${rule.daily} ${name}: ${rule.columns.join(", ")} follow from these hours now, version ${days.version}`);
    }
  };
}

function warnOfMissingHours({ hourly, columns }: DaysFromHours, days: readonly string[], say: (line: string) => void): void {
  if (days.length === 0) return;
  const shown = `${days.slice(0, DAYS_SHOWN_MAX).join(", ")}${days.length > DAYS_SHOWN_MAX ? ", …" : ""}`;
  say(
    `Warning: mobility.${hourly} has no hours of ${shown}: until they are loaded, ${columns.join(", ")} are the file's, and who keeps those can tell withheld hours from published ones. Load hours before their days`,
  );
}
