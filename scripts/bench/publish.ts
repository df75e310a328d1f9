import { loadavg } from "node:os";
import { generateSample } from "../../infra/local/sample/generate.ts";
import { quantile, report } from "./measure.ts";
import { type OneDay, openOneDay } from "./one-day.ts";
import { openOwnWarehouse } from "./own-warehouse.ts";
import { peakMib, resetPeak } from "./process-memory.ts";

export const PUBLISH_OPTIONS = { scale: { type: "string", default: "20" } } as const;

const RUNS = 3;
/** Days wait for their hours, so they are loaded before. */
const WAITING = "activities_daily";
const LOADED = {
  activities_hourly: "activities, hours and days",
  odm_daily: "matrix",
  flows_hourly: "flow",
} as const;
/** The first size to compare the memory with. */
const FEW = 4;
const BUDGETS = { budget_ratio: 2, budget_growth_mib: 256 };
/** Two thirds of the service's limit: what does not need its memory takes no longer with it. */
const LOW_LIMIT = "512MB";

/**
 * Measures the statements that publish a day of a country (Latvia, which has all levels and mixed pairs), against the INSERT … SELECT alone that
 * decides its rows: both write the same published rows from the same staged ones. Publishing also compares them with what stands, counts them for the
 * ledgers, and replaces the former. Tables are on disk, as with `--data`. The memory is that of this process, at a quarter of the scale and at the
 * scale, and with two thirds of DuckDB's memory. `--scale N` sets the size of the sample's towns.
 */
export async function benchPublish(values: Readonly<Record<keyof typeof PUBLISH_OPTIONS, string>>): Promise<void> {
  const scale = Number(values.scale);
  if (!(scale >= FEW)) throw new Error(`--scale must be at least ${FEW}`);
  const few = await measured(scale / FEW);
  const all = await measured(scale);
  const low = await measured(scale, LOW_LIMIT);
  for (const { what, rows, published, publishMs, bareMs } of all)
    report({
      bench: "publish",
      what,
      scale,
      rows,
      published_rows: published,
      publish_p50_ms: publishMs,
      bare_p50_ms: bareMs,
      ratio: publishMs / bareMs,
    });
  const [publishMs, bareMs] = [sum(all, "publishMs"), sum(all, "bareMs")];
  const [peakOfFew, peakOfAll] = [most(few), most(all)];
  const missed = [
    ...(publishMs / bareMs > BUDGETS.budget_ratio ? ["time"] : []),
    ...(peakOfAll - peakOfFew > BUDGETS.budget_growth_mib ? ["memory"] : []),
  ];
  report({
    bench: "publish",
    what: "all products",
    scale,
    runs: RUNS,
    load: loadavg()[0],
    rows: sum(all, "rows"),
    published_rows: sum(all, "published"),
    publish_p50_ms: publishMs,
    bare_p50_ms: bareMs,
    ratio: publishMs / bareMs,
    few_rows: sum(few, "rows"),
    peak_mib: [peakOfFew, peakOfAll],
    growth_mib: peakOfAll - peakOfFew,
    low_limit: LOW_LIMIT,
    low_limit_peak_mib: most(low),
    low_limit_ratio: sum(low, "publishMs") / publishMs,
    ...BUDGETS,
    met: missed.length === 0,
    ...(missed.length > 0 && { not_met: missed.join(", ") }),
  });
}

interface Measured {
  readonly what: string;
  readonly rows: number;
  readonly published: number;
  readonly publishMs: number;
  readonly bareMs: number;
  readonly peakMib: number;
}

function sum(tables: readonly Measured[], of: "rows" | "published" | "publishMs" | "bareMs"): number {
  return tables.reduce((total, table) => total + table[of], 0);
}

function most(tables: readonly Measured[]): number {
  return Math.max(...tables.map((table) => table.peakMib));
}

/** Publishes the tables of a day at a scale, in a warehouse of its own. */
async function measured(scale: number, memoryLimit?: string): Promise<Measured[]> {
  console.error(`Generating a day at scale ${scale} …`);
  const warehouse = await openOwnWarehouse({ account: "operator", onDisk: true, ...(memoryLimit !== undefined && { memoryLimit }) });
  try {
    const day = await openOneDay(warehouse, (now) => generateSample(warehouse.connection, { seed: 1, scale, now, days: 1 }));
    await (await day.stage(WAITING)).load();
    const tables: Measured[] = [];
    for (const [table, what] of Object.entries(LOADED)) tables.push({ what, ...(await measuredTable(day, table)) });
    return tables;
  } finally {
    await warehouse.close();
  }
}

async function measuredTable(day: OneDay, table: string): Promise<Omit<Measured, "what">> {
  const staged = await day.stage(table);
  const times: { publish: number; bare: number }[] = [];
  let peak: number | undefined;
  resetPeak(process.pid);
  while (times.length < RUNS)
    times.push(
      await staged.tried(() => {
        // Of the first run: what a rollback leaves is given back later.
        peak ??= peakMib(process.pid);
      }),
    );
  const { rows, published } = await staged.load();
  const p50 = (of: "publish" | "bare"): number =>
    quantile(
      times.map((time) => time[of]),
      0.5,
    );
  return { rows, published, publishMs: p50("publish"), bareMs: p50("bare"), peakMib: peak ?? Number.NaN };
}
