import { openWarehouse } from "../../shared/google/bigquery.ts";
import { openLandingBucket } from "../../shared/google/landing-bucket.ts";
import { openLoadJobs } from "../../shared/google/load-jobs.ts";
import { importFolder } from "../../shared/loading/import-delivery.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { createInTurn } from "../../shared/runtime/in-turn.ts";
import type { Log } from "../../shared/runtime/log.ts";
import type { BackfillRequest } from "./arguments.ts";
import { ImportError } from "./import-error.ts";
import { openTarget } from "./target.ts";

/** How long a backfill waits for one job, in milliseconds. */
const JOB_MS_MAX = 3_600_000;

/**
 * Loads the days of a range that are in the landing bucket as if their manifests arrived now: several at once, under the same job ids, so that a day that
 * the import function loads meanwhile is loaded once. A day that is bad is quarantined. The others are loaded nevertheless; then this throws an
 * ImportError that counts those that failed.
 * @param say receives lines of progress
 * @param now the current time: later days are quarantined
 */
export async function backfill(request: BackfillRequest, say: (line: string) => void, now: Date): Promise<void> {
  const { table, countries, days, parallel } = request;
  const target = await openTarget(request);
  const known = Object.keys(target.countries);
  const unknown = countries.find((country) => !known.includes(country));
  if (unknown !== undefined) throw new ImportError(`--country ${unknown} is not a known country (${known.join(", ")})`);
  const config = await target.config();
  const shared = {
    bucket: openLandingBucket(config),
    loads: openLoadJobs(config),
    warehouse: openWarehouse(config),
    inTurn: createInTurn(Number.POSITIVE_INFINITY),
    by: "backfill" as const,
    countries: target.countries,
    waitMs: JOB_MS_MAX,
    now: () => now,
    shutdownSignal: new AbortController().signal,
  };
  const waiting = days.flatMap((date) => countries.map((country) => ({ table: table.name, country, date })));
  const total = waiting.length;
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let folder = waiting.shift(); folder; folder = waiting.shift()) {
      const name = `${folder.table} ${folder.date} ${folder.country}`;
      let isBad = false;
      const log: Log = (severity, _message, fields) => {
        if (severity !== "ERROR") return;
        isBad = true;
        say(`${name}: quarantined, ${String(fields?.faults)} faults: ${String(fields?.errors)}`);
      };
      try {
        const loaded = await importFolder(folder, { ...shared, log });
        if (loaded) say(`${name}: ${loaded.state === "loaded" ? "loaded" : "loaded already"}, load ${loaded.version}`);
        else if (!isBad) say(`${name}: nothing has arrived`);
      } catch (error) {
        isBad = true;
        say(`${name}: ${messageOf(error)}`);
      }
      if (isBad) failed++;
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, total) }, work));
  if (failed > 0) throw new ImportError(`${failed} of ${total} days failed; the others are loaded`);
}
