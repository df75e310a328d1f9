import { recomputeDaysStatement } from "../../shared/publishing/days-from-hours.ts";
import type { DaysFromHours } from "../../shared/publishing/fact-table.ts";
import { ledgerStatement } from "../../shared/publishing/load.ts";
import type { Load } from "../../shared/publishing/staged-load.ts";
import { readLedger } from "./ledger.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

const DAYS_SHOWN_MAX = 5;

/** Called after a load with the names of the changed batches and a receiver of progress lines. */
type Finish = (loaded: readonly string[], say: (line: string) => void) => Promise<void>;

/**
 * Keeps daily values consistent with their hours around a load of either table. A load sees the other table as of its start; if another
 * load changed that meanwhile, the days are recomputed. Reports the new versions of the days, or days that have no hours yet.
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
    // A load of hours creates a new version of the days that it found.
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
      if (days) say(`mobility.${rule.daily} ${name}: ${rule.columns.join(", ")} recomputed from these hours, version ${days.version}`);
    }
  };
}

function warnOfMissingHours({ hourly, columns }: DaysFromHours, days: readonly string[], say: (line: string) => void): void {
  if (days.length === 0) return;
  const shown = `${days.slice(0, DAYS_SHOWN_MAX).join(", ")}${days.length > DAYS_SHOWN_MAX ? ", …" : ""}`;
  say(
    `Warning: mobility.${hourly} has no hours of ${shown}. Until they are loaded, ${columns.join(", ")} are the file's values, and anyone who keeps those can tell withheld hours from published ones. Load hours before their days`,
  );
}
