import { TABLE_BYTES_MIN } from "../budgets/day-bytes.ts";
import { countGeographiesStatement } from "../geographies/lookup.ts";
import type { Labels, ReadEstimate, Warehouse } from "../google/bigquery.ts";
import { ServiceError } from "../http/errors.ts";
import type { AcceptedRequest } from "../products/product.ts";
import type { Config } from "../runtime/config.ts";
import { costlyStatements } from "./stages.ts";

const TEBIBYTE = 2 ** 40;

interface EstimateContext {
  readonly warehouse: Pick<Warehouse, "queryOne" | "dryRun">;
  readonly config: Pick<Config, "queryPrice" | "bytesBilledMax">;
  readonly labels: Labels;
}

/**
 * Returns what one attempt of a request's job would read, return and cost at most, from dry runs of its statements. Nothing is looked up.
 * Throws `invalid_argument` for a request that would read more than a job may.
 */
export async function estimateOf({ lookups, unresolved }: AcceptedRequest, { warehouse, config, labels }: EstimateContext) {
  // The warehouse counts all geographies of a type. That reads one cluster of one small table.
  const count = (country: string, type: string) => warehouse.queryOne(countGeographiesStatement(country, type), labels);
  const statements = [...lookups, ...costlyStatements(unresolved)];
  const [reads, rows] = await Promise.all([
    Promise.all(statements.map((statement) => warehouse.dryRun(statement, labels))),
    unresolved.rowsMax(count),
  ]);
  if (reads.some(({ bytes }) => bytes > config.bytesBilledMax))
    throw new ServiceError("invalid_argument", "The job would read more data than one may; ask for fewer days or geographies");
  const { perTib, currency } = config.queryPrice;
  return {
    estimated_bytes_max: sum(reads.map(({ bytes }) => bytes)),
    estimated_rows_max: rows,
    estimated_cost_max: { amount: costOf(sum(reads.map(billedMax)), perTib), currency },
  };
}

/** Returns the billed bytes, at most. A dry run does not report bytes per table, so every table may be rounded up. */
function billedMax({ bytes, tables }: ReadEstimate): number {
  return bytes + tables * TABLE_BYTES_MIN;
}

/** Returns the price of billed bytes, rounded up to a millionth so that it stays an upper bound. */
function costOf(billedBytes: number, perTib: number): number {
  return Math.ceil((billedBytes / TEBIBYTE) * perTib * 1e6) / 1e6;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
