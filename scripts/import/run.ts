import { columnName } from "../../shared/loading/column-name.ts";
import { computedColumns, isFeed } from "../../shared/products/loaded-tables.ts";
import type { ImportCommand } from "./arguments.ts";
import { backfill } from "./backfill.ts";
import { deleteDays } from "./delete-days.ts";
import { download, isObject } from "./download.ts";
import { openDuckDb } from "./duckdb-session.ts";
import { fileError, isOfSystem } from "./full-disk.ts";
import { load } from "./load.ts";
import { loadTicks } from "./load-ticks.ts";
import { prepare } from "./prepare.ts";
import { strayWarnings } from "./stray-cells.ts";
import { openTarget } from "./target.ts";
import { tableColumns } from "./warehouse.ts";

/**
 * Checks a whole file, then loads it; or loads days of the landing bucket, or deletes days. Throws an ImportError if the file, the request or its
 * target is wrong; nothing is stored then.
 * @param say receives lines of progress
 * @param now the current time, which the ticks of a feed must be near and no day may be after
 */
export async function runImport(request: ImportCommand, say: (line: string) => void, now: Date): Promise<void> {
  if (request.kind === "backfill") return backfill(request, say, now);
  if (request.kind === "delete") return deleteDays(request, say);
  const { table, file } = request;
  const duckdb = await openDuckDb();
  try {
    const target = await openTarget(request);
    say(`Reading ${file} …`);
    const path = isObject(file) ? await download(target, file, duckdb.path) : file;
    const columns = await tableColumns(target, table);
    const prepared = await prepare({ request, columns, countries: target.countries, path, duckdb, now });
    const rows = prepared.rows.toLocaleString("en");
    say(
      `${rows} ${prepared.rows === 1 ? "row" : "rows"}, ${prepared.batches.length} ${prepared.batches.length === 1 ? "batch" : "batches"}`,
    );
    if (isFeed(table)) for (const line of await strayWarnings(prepared, target.countries, duckdb)) say(`Warning: ${line}`);
    for (const computed of computedColumns(table))
      if (prepared.fileColumns.map(columnName).includes(computed))
        say(`Note: the file's column ${computed} is ignored: the import computes it`);
    if (!isFeed(table)) await load({ table, target, prepared, isDry: request.dryRun, say });
    else if (!request.dryRun) await loadTicks({ table, target, prepared, duckdb, say });
    if (request.dryRun) say("The file is valid. Nothing was loaded (--dry-run)");
  } catch (error) {
    throw isOfSystem(error) ? fileError(error, duckdb.path("")) : error;
  } finally {
    duckdb.close();
  }
}
