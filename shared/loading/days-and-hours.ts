import type { Labels, Warehouse } from "../google/bigquery.ts";
import { INTAKE_DAYS, loadedBatchesStatement, publishedBatchesStatement } from "../publishing/ledger.ts";
import { publishDaysStatement } from "../publishing/publish.ts";
import { absentDaysStatement } from "../publishing/staged-ids.ts";
import type { FactLoad } from "../publishing/staged-load.ts";
import { BadBatch } from "./batch-fault.ts";

/** Throws a BadBatch if a batch is of a day whose hours were published and have left `intake`: a day is published together with its hours. */
export async function refuseDaysWithoutHours(warehouse: Warehouse, load: FactLoad, labels: Labels): Promise<void> {
  const { hours } = load.publication;
  if (hours?.daily !== load.table) return;
  const published = await warehouse.query(publishedBatchesStatement({ ...load, table: hours.hourly }), labels);
  if (published.length === 0) return;
  const absent = await warehouse.query(absentDaysStatement(load, hours.hourly), labels);
  if (absent.length === 0) return;
  const says = `The hours of the day have left intake, where raw rows stay for ${INTAKE_DAYS} days`;
  throw new BadBatch([{ file: undefined, line: undefined, says, right: `the whole day: ${hours.hourly} first, then this batch` }]);
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
