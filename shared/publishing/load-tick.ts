import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { LoadedBatch } from "./ledger.ts";
import { nearestStep } from "./nearest-step.ts";
import type { LoadedCountry } from "./staged-load.ts";

/** A load of a country's staged rows of one tick into `intake.presence`, which publishes them in `realtime.presence`. The rows are already checked. */
interface TickLoad {
  /** The staging table, `staging.import_…`. It has `columns` under the target's names and may hold other ticks too. */
  readonly staging: string;
  readonly columns: readonly string[];
  readonly country: Pick<LoadedCountry, "code" | "k" | "step" | "isProtected" | "isStrict">;
  /** ISO 8601, UTC. */
  readonly tick: string;
  readonly checksum: string;
}

/** A range of ticks of some countries; `first` and `last` are inclusive. */
export interface TickSpan {
  readonly countries: readonly string[];
  /** ISO 8601, UTC. */
  readonly first: string;
  readonly last: string;
}

/** Strict countries publish the ticks at multiples of so many seconds. */
const STRICT_SECONDS = 15 * 60;

const BATCH = "tick = @tick AND country_code = @country";

/**
 * Returns one script in one transaction: it replaces the batch's raw rows and its published cells, unless its newest load already has this
 * checksum. Readers see the tick before or after the load, never in between. If two loads run at once, the second sees the ledger row of the
 * first.
 *
 * - A cell is published from k devices, its people to the nearest step.
 * - A cell of at least k devices that a correction changes by fewer than k keeps its raw row, unless the provider protects its data itself:
 *   otherwise the two published numbers would tell of fewer than k devices.
 * - In a strict country only the ticks of each quarter of an hour are published, so headcounts change every 15 minutes at most.
 * - The version that is published rises with the first load, and then only with a load that changes published cells.
 */
export function loadTickStatement({ staging, columns, country, tick, checksum }: TickLoad): Statement<never> {
  const names = columns.join(", ");
  const values = columns.filter((name) => !["tick", "country_code", "cell_id"].includes(name));
  const isStaged = `EXISTS (SELECT 1 FROM \`${staging}\` WHERE ${BATCH})`;
  const isPublished = `(NOT @strict OR MOD(UNIX_SECONDS(@tick), ${STRICT_SECONDS}) = 0)`;
  const published = `SELECT tick, country_code, cell_id, ${nearestStep("people", "@step")} AS people FROM \`intake.presence\` WHERE ${BATCH} AND devices >= @k AND ${isPublished}`;
  const sql = `BEGIN TRANSACTION;

DELETE FROM \`${staging}\`
WHERE ${BATCH} AND EXISTS (
  SELECT 1
  FROM (
    SELECT checksum
    FROM \`intake.batches\`
    WHERE table_name = 'presence' AND ${BATCH}
    QUALIFY version = MAX(version) OVER () AND COUNT(*) OVER (PARTITION BY version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum
);

MERGE \`${staging}\` AS staged
USING (
  SELECT ${names}
  FROM \`intake.presence\`
  WHERE ${BATCH} AND devices >= @k AND NOT @protected
  QUALIFY COUNT(*) OVER (PARTITION BY cell_id) = 1
) AS old
ON staged.tick = old.tick AND staged.country_code = old.country_code AND staged.cell_id = old.cell_id
WHEN MATCHED AND ABS(staged.devices - old.devices) < @k THEN
  UPDATE SET ${values.map((name) => `${name} = old.${name}`).join(", ")};

DELETE FROM \`intake.presence\`
WHERE ${BATCH} AND ${isStaged};

INSERT INTO \`intake.presence\` (${names})
SELECT ${names} FROM \`${staging}\` WHERE ${BATCH};

INSERT INTO \`intake.batches\` (country_code, table_name, batch_date, tick, version, row_count, checksum, loaded_at)
SELECT @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1, loaded.row_count, @checksum, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM \`${staging}\` WHERE ${BATCH}) AS loaded
CROSS JOIN (SELECT MAX(version) AS version FROM \`intake.batches\` WHERE table_name = 'presence' AND ${BATCH}) AS earlier
WHERE loaded.row_count > 0;

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
SELECT @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1, published.row_count, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM (${published})) AS published
CROSS JOIN (SELECT MAX(version) AS version FROM \`mobility.batches\` WHERE table_name = 'presence' AND ${BATCH}) AS earlier
CROSS JOIN (SELECT COUNT(*) AS row_count FROM \`realtime.presence\` WHERE ${BATCH}) AS standing
CROSS JOIN (
  SELECT COUNT(*) AS row_count
  FROM (
    ${published}
    EXCEPT DISTINCT
    SELECT tick, country_code, cell_id, people FROM \`realtime.presence\` WHERE ${BATCH}
  )
) AS changed
WHERE ${isStaged} AND ${isPublished} AND (earlier.version IS NULL OR standing.row_count <> published.row_count OR changed.row_count > 0);

DELETE FROM \`realtime.presence\`
WHERE ${BATCH} AND ${isStaged};

INSERT INTO \`realtime.presence\` (tick, country_code, cell_id, people)
${published} AND ${isStaged};

COMMIT TRANSACTION`;
  return statement(NoRow, sql, {
    country: { type: "STRING", value: country.code },
    k: { type: "INT64", value: country.k },
    step: { type: "INT64", value: country.step },
    protected: { type: "BOOL", value: country.isProtected },
    strict: { type: "BOOL", value: country.isStrict ?? false },
    tick: { type: "TIMESTAMP", value: tick },
    checksum: { type: "STRING", value: checksum },
  });
}

/**
 * Returns a query of the newest loads of ticks: the columns of `loadedBatchesStatement`, with the tick (`2026-03-01T00:05:00Z`) as `period`.
 */
export function tickLedgerStatement({ countries, first, last }: TickSpan): Statement<LoadedBatch> {
  const codes = countries.map((_, index) => `@country_${index}`).join(", ");
  const sql = `SELECT country_code, FORMAT_TIMESTAMP('%FT%TZ', tick) AS period, version, row_count, checksum
FROM \`intake.batches\`
WHERE table_name = 'presence' AND country_code IN (${codes}) AND tick BETWEEN @first_tick AND @last_tick
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, tick)`;
  const parameters: Parameters = {
    first_tick: { type: "TIMESTAMP", value: first },
    last_tick: { type: "TIMESTAMP", value: last },
    ...Object.fromEntries(countries.map((code, index) => [`country_${index}`, { type: "STRING", value: code } as const])),
  };
  return statement(LoadedBatch, sql, parameters);
}
