import { NoRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { LedgerRow } from "./ledger.ts";

/** A load of a country's staged rows of one tick into `mobility.presence`. The rows are already checked. */
interface TickLoad {
  /** The staging table, `staging.import_…`. It has `columns` under the target's names and may hold other ticks too. */
  readonly staging: string;
  readonly columns: readonly string[];
  readonly country: string;
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

const BATCH = "tick = @tick AND country_code = @country";

/**
 * Returns one script in one transaction: it deletes the batch's old rows, inserts the new rows and appends to the ledger, unless the
 * batch's newest version already has this checksum. Readers see the tick before or after the load, never in between. If two loads run at
 * once, the second sees the ledger row of the first.
 */
export function loadTickStatement({ staging, columns, country, tick, checksum }: TickLoad): Statement<never> {
  const names = columns.join(", ");
  const sql = `BEGIN TRANSACTION;

DELETE FROM \`${staging}\`
WHERE ${BATCH} AND EXISTS (
  SELECT 1
  FROM (
    SELECT checksum
    FROM \`mobility.batches\`
    WHERE table_name = 'presence' AND ${BATCH}
    QUALIFY version = MAX(version) OVER () AND COUNT(*) OVER (PARTITION BY version) = 1
  ) AS newest
  WHERE newest.checksum = @checksum
);

DELETE FROM \`mobility.presence\`
WHERE ${BATCH} AND EXISTS (SELECT 1 FROM \`${staging}\` WHERE ${BATCH});

INSERT INTO \`mobility.presence\` (${names})
SELECT ${names} FROM \`${staging}\` WHERE ${BATCH};

INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, suppressed_count, checksum, loaded_at)
SELECT
  @country, 'presence', CAST(NULL AS DATE), @tick, COALESCE(earlier.version, 0) + 1,
  loaded.row_count, 0, @checksum, CURRENT_TIMESTAMP()
FROM (SELECT COUNT(*) AS row_count FROM \`${staging}\` WHERE ${BATCH}) AS loaded
CROSS JOIN (SELECT MAX(version) AS version FROM \`mobility.batches\` WHERE table_name = 'presence' AND ${BATCH}) AS earlier
WHERE loaded.row_count > 0;

COMMIT TRANSACTION`;
  return statement(NoRow, sql, {
    country: { type: "STRING", value: country },
    tick: { type: "TIMESTAMP", value: tick },
    checksum: { type: "STRING", value: checksum },
  });
}

/**
 * Returns a query of the newest ledger versions of ticks: the columns of `ledgerStatement`, with the tick (`2026-03-01T00:05:00Z`) as
 * `period`.
 */
export function tickLedgerStatement({ countries, first, last }: TickSpan): Statement<LedgerRow> {
  const codes = countries.map((_, index) => `@country_${index}`).join(", ");
  const sql = `SELECT country_code, FORMAT_TIMESTAMP('%FT%TZ', tick) AS period, version, row_count, suppressed_count, checksum
FROM \`mobility.batches\`
WHERE table_name = 'presence' AND country_code IN (${codes}) AND tick BETWEEN @first_tick AND @last_tick
QUALIFY version = MAX(version) OVER (PARTITION BY country_code, tick)`;
  const parameters: Parameters = {
    first_tick: { type: "TIMESTAMP", value: first },
    last_tick: { type: "TIMESTAMP", value: last },
    ...Object.fromEntries(countries.map((code, index) => [`country_${index}`, { type: "STRING", value: code } as const])),
  };
  return statement(LedgerRow, sql, parameters);
}
