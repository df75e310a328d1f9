import { daysWithoutHours } from "../../shared/loading/days-and-hours.ts";
import { INTAKE_DAYS, loadedBatchesStatement, publishedBatchesStatement } from "../../shared/publishing/ledger.ts";
import { publishDaysStatement } from "../../shared/publishing/publish.ts";
import { absentDaysStatement, type DayBatch } from "../../shared/publishing/staged-ids.ts";
import type { FactLoad } from "../../shared/publishing/staged-load.ts";
import { ImportError } from "./import-error.ts";
import { batchName, readLedger, readPublished, shownNames } from "./ledger.ts";
import type { Target } from "./target.ts";
import { query } from "./warehouse.ts";

/** Called after a load with the names of its batches and a receiver of progress lines. */
type Finish = (loaded: readonly string[], say: (line: string) => void) => Promise<void>;

/** Throws an ImportError if a load of days is of days whose hours were published and have left `intake` since. */
export async function refuseDaysWithoutHours(target: Target, load: FactLoad): Promise<void> {
  const lost = await daysWithoutHours(load, (statement) => query(target, statement, { table: load.table }));
  if (!lost) return;
  throw new ImportError(
    `The hours of ${shownNames(lost.days.map(nameOfDay))} have left intake, where raw rows stay for ${INTAKE_DAYS} days. A day is published together with its hours, so a correction brings the whole day: load ${lost.hourly} of these days first, then this file`,
  );
}

/**
 * Follows the days around a load of days or of hours. A load sees the other table as of its start; if another load changed that meanwhile, the
 * days are published again. Reports the days that were published with their hours, or that wait for them.
 */
export async function followDays(target: Target, load: FactLoad): Promise<Finish | undefined> {
  const { hours } = load.publication;
  if (!hours || (load.table !== hours.hourly && load.table !== hours.daily)) return undefined;
  const isHourly = load.table === hours.hourly;
  const other = isHourly ? hours.daily : hours.hourly;
  const loads = () => readLedger(target, other, loadedBatchesStatement({ ...load, table: other }));
  const days = () => readPublished(target, hours.daily, publishedBatchesStatement({ ...load, table: hours.daily }));
  const [before, standing] = await Promise.all([loads(), days()]);
  return async (loaded, say) => {
    const after = await loads();
    if (loaded.some((name) => after.get(name)?.version !== before.get(name)?.version))
      await query(target, publishDaysStatement(load, hours), { table: load.table });
    if (!isHourly)
      return warnOfMissingHours(
        hours.hourly,
        loaded.filter((name) => !after.has(name)),
        say,
      );
    const published = await days();
    const gone = await absentDays(target, load, hours.daily);
    for (const name of loaded) {
      const [earlier, day] = [standing.get(name), published.get(name)];
      if (day && day.version !== earlier?.version)
        say(
          `Published ${hours.daily} ${name} with these hours: ${day.rows.toLocaleString("en")} ${day.rows === 1 ? "row" : "rows"}, version ${day.version}`,
        );
    }
    const stale = loaded.filter((name) => published.has(name) && gone.includes(name));
    if (stale.length > 0)
      say(
        `Warning: the rows of ${hours.daily} ${shownNames(stale)} have left intake, so these days stay as they were published with earlier hours: load ${hours.daily} of them again`,
      );
  };
}

/** Returns the names of the staged days of which a table of `intake` has no rows. */
async function absentDays(target: Target, load: FactLoad, table: string): Promise<string[]> {
  const days = await query(target, absentDaysStatement(load, table), { table: load.table });
  return days.map(nameOfDay);
}

function nameOfDay({ country_code: country, period }: DayBatch): string {
  return batchName({ country, period });
}

function warnOfMissingHours(hourly: string, days: readonly string[], say: (line: string) => void): void {
  if (days.length === 0) return;
  say(`${shownNames(days)}: published once ${hourly} of the day is loaded, since a day has its hours as parts`);
}
