import type { Labels, Warehouse } from "../google/bigquery.ts";
import type { Query } from "../google/statement.ts";
import { INTAKE_DAYS, loadedBatchesStatement, publishedBatchesStatement } from "../publishing/ledger.ts";
import { publishDaysStatement } from "../publishing/publish.ts";
import { absentDaysStatement, type DayBatch } from "../publishing/staged-ids.ts";
import type { FactLoad } from "../publishing/staged-load.ts";
import { BadBatch } from "./batch-fault.ts";

/**
 * Returns the staged days whose hours were published and have left `intake` since, with the table of these hours. Such a day cannot be loaded: a day is
 * published from its own rows and its hours together.
 */
export async function daysWithoutHours(load: FactLoad, query: Query): Promise<{ hourly: string; days: readonly DayBatch[] } | undefined> {
  const { hours } = load.publication;
  if (hours?.daily !== load.table) return undefined;
  const { hourly } = hours;
  const published = await query(publishedBatchesStatement({ ...load, table: hourly }));
  if (published.length === 0) return undefined;
  const absent = await query(absentDaysStatement(load, hourly));
  const days = absent.filter((day) =>
    published.some(({ country_code, period }) => country_code === day.country_code && period === day.period),
  );
  return days.length === 0 ? undefined : { hourly, days };
}

/** Throws a BadBatch if a batch is of a day whose hours were published and have left `intake`. */
export async function refuseDaysWithoutHours(warehouse: Warehouse, load: FactLoad, labels: Labels): Promise<void> {
  const lost = await daysWithoutHours(load, (statement) => warehouse.query(statement, labels));
  if (!lost) return;
  const says = `The hours of the day have left intake, where raw rows stay for ${INTAKE_DAYS} days`;
  throw new BadBatch([{ file: undefined, line: undefined, says, right: `the whole day: ${lost.hourly} first, then this batch` }]);
}

/**
 * Follows the other table of days and hours around a load, which sees it as of its start. Returns what to do after the load: if another load has
 * changed the other table meanwhile, the day is published again.
 */
export async function followDays(warehouse: Warehouse, load: FactLoad, labels: Labels): Promise<() => Promise<void>> {
  const { hours } = load.publication;
  if (!hours || (load.table !== hours.hourly && load.table !== hours.daily)) return async () => undefined;
  const other = load.table === hours.hourly ? hours.daily : hours.hourly;
  const version = async (): Promise<number | undefined> => {
    const [newest] = await warehouse.query(loadedBatchesStatement({ ...load, table: other }), labels);
    return newest?.version;
  };
  const before = await version();
  return async () => {
    if ((await version()) !== before) await warehouse.query(publishDaysStatement(load, hours), labels);
  };
}
