import type { SampleSize } from "./cells.ts";
import { instant } from "./literals.ts";

/** A table as the ledger sees it: whether its batches are days, and the sums that stand for its content in the checksum. */
interface Ledgered {
  readonly table: string;
  readonly daily: boolean;
  readonly content: string;
}

const TABLES: readonly Ledgered[] = [
  { table: "activities_daily", daily: true, content: "sum(people), sum(devices), sum(stays_count)" },
  { table: "activities_hourly", daily: true, content: "sum(people), sum(devices), sum(stays_count)" },
  { table: "flows_hourly", daily: true, content: "sum(people), sum(devices)" },
  { table: "odm_daily", daily: true, content: "sum(trips), sum(devices)" },
  { table: "geographies", daily: false, content: "min(geo_id), max(geo_id)" },
  { table: "geography_cells", daily: false, content: "min(cell_id), max(cell_id)" },
  { table: "road_links", daily: false, content: "min(link_id), max(link_id)" },
];

/** The fact tables, whose batches are days. */
export const DAILY = TABLES.filter(({ daily }) => daily);

function sampleName({ seed, scale }: SampleSize): string {
  return `seed ${seed}, scale ${scale}`;
}

/** A query for the batches in `source`, which is like the table: country_code, batch_date, row_count, suppressed_count, content. */
function batchesOf({ daily, content }: Ledgered, source: string): string {
  return `SELECT country_code, ${daily ? "batch_date" : "NULL::DATE AS batch_date"}, count(*) AS row_count,
      ${daily ? "count(*) FILTER (WHERE NOT publishable)" : "0"} AS suppressed_count, concat_ws(', ', ${content}) AS content
    FROM ${source} GROUP BY ${daily ? "country_code, batch_date" : "country_code"}`;
}

/**
 * A query for the ledger's rows of the days in `source` as the sample writes them, loaded when `sample_days` says: country, name, batch_date,
 * row_count, suppressed_count, checksum, loaded_at. Only rows that the sample made have the checksum.
 */
export function sampleBatches(size: SampleSize, ledgered: Ledgered, source: string): string {
  const { table } = ledgered;
  return `SELECT country, '${table}' AS name, days.batch_date, row_count, suppressed_count,
    ${checksum(`'${table}', country, days.batch_date, NULL, row_count, concat_ws(', ', '${sampleName(size)}', content)`)} AS checksum, loaded_at
  FROM (${batchesOf(ledgered, source)}) AS batches JOIN sample_days AS days ON days.country = country_code AND days.batch_date = batches.batch_date`;
}

function checksum(parts: string): string {
  return `sha256(concat_ws(', ', ${parts}))`;
}

/** The statements that write the ledger of what the fact tables and dimensions hold. Times come from `sample_days`, never from a clock. */
export function ledgerStatements(size: SampleSize): string[] {
  return TABLES.map(({ table, daily, content }) => {
    const batches = batchesOf({ table, daily, content }, `mobility.${table}`);
    const loaded = daily
      ? "sample_days AS days ON days.country = country_code AND days.batch_date = batches.batch_date"
      : "(SELECT country, min(starts_at) AS loaded_at FROM sample_days GROUP BY country) AS days ON days.country = country_code";
    return ledgerInsert(
      `SELECT country_code, '${table}', batches.batch_date, NULL::TIMESTAMPTZ, row_count, suppressed_count, concat_ws(', ', '${sampleName(size)}', content), loaded_at
      FROM (${batches}) AS batches JOIN ${loaded} ORDER BY country_code, batches.batch_date`,
    );
  });
}

/** The statement that writes the ledger of the presence ticks from `first` to `last`. A tick is loaded when it is. */
export function presenceLedger(seed: number, first: Date, last: Date, source = "mobility.presence"): string {
  return ledgerInsert(
    `SELECT country_code, 'presence', NULL::DATE, tick, count(*), 0, concat_ws(', ', 'seed ${seed}', sum(people), sum(devices)), tick
    FROM ${source} WHERE tick BETWEEN ${instant(first)} AND ${instant(last)} GROUP BY country_code, tick ORDER BY country_code, tick`,
  );
}

/** `batches` gives: country, table, batch_date, tick, rows, suppressed rows, content, loaded_at. */
function ledgerInsert(batches: string): string {
  return `INSERT INTO mobility.batches (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
  SELECT country, name, batch_date, tick, 1, row_count, suppressed_count, ${checksum("name, country, batch_date, tick, row_count, content")}, loaded_at
  FROM (${batches}) AS batch(country, name, batch_date, tick, row_count, suppressed_count, content, loaded_at)`;
}
