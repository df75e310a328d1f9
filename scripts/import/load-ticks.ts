import { quotedString } from "@duckdb/node-api";
import * as v from "valibot";
import { type LoadedTable, loadedCountry } from "../../shared/products/loaded-tables.ts";
import { loadTickStatement, type TickSpan, tickLedgerStatement } from "../../shared/publishing/load-tick.ts";
import { PUBLISHING_RULE_VERSION } from "../../shared/publishing/nesting.ts";
import type { LoadedCountry } from "../../shared/publishing/staged-load.ts";
import type { DuckDbSession } from "./duckdb-session.ts";
import { ImportError } from "./import-error.ts";
import { batchName, isCurrent, type Ledger, type LedgerEntry, loadOnce, readLedger } from "./ledger.ts";
import type { Prepared } from "./prepare.ts";
import type { Batch } from "./row-groups.ts";
import { stagingGroups } from "./staging-groups.ts";
import type { Target } from "./target.ts";
import { withStaged } from "./warehouse.ts";

/** Above this number of batches, progress is reported as counts instead of one line per batch. */
const LINES_MAX = 20;

const Checksum = v.tuple([v.object({ checksum: v.string() })]);

interface Loading {
  readonly table: LoadedTable;
  readonly target: Target;
  readonly prepared: Prepared;
  readonly duckdb: DuckDbSession;
  /** Receives a line of progress for people. */
  readonly say: (line: string) => void;
}

/** One country and tick of the file. */
interface TickBatch {
  readonly name: string;
  readonly country: string;
  readonly rules: LoadedCountry;
  readonly tick: string;
  readonly rows: number;
  readonly checksum: string;
}

/**
 * Loads prepared ticks in time order, each country and tick in its own transaction. Skips batches that the ledger has already. After a
 * failure the earlier ticks stay loaded, each whole, and the same file continues after them.
 */
export async function loadTicks(loading: Loading): Promise<void> {
  const { table, say } = loading;
  const batches = await tickBatches(loading);
  const before = await readTicks(loading, spanOf(batches));
  const pending = batches.filter(({ name, checksum }) => !isCurrent(before.get(name), checksum));
  const same = batches.length - pending.length;
  if (pending.length === 0) {
    say(`Nothing to do: ${counted(same)} already loaded`);
    return;
  }
  if (same > 0) say(`intake.${table.name}: ${counted(same)} unchanged`);
  let loaded = 0;
  try {
    for (const stage of stagingGroups(pending))
      await withStage(loading, stage, async (staging) => {
        for (const batch of stage) {
          const entry = await loadTick(loading, staging, batch);
          loaded++;
          if (pending.length <= LINES_MAX) say(outcome(table, batch, entry));
          else if (loaded % LINES_MAX === 0 && loaded < pending.length)
            say(`${loaded} of ${counted(pending.length)} loaded, up to ${batch.tick}`);
        }
      });
  } catch (error) {
    say(`Stopped: ${loaded} of ${counted(pending.length)} loaded, each whole; import the same file again to continue`);
    throw error;
  }
  if (pending.length > LINES_MAX) say(summary(table, pending, before));
}

async function withStage(
  { target, prepared, duckdb }: Loading,
  stage: readonly TickBatch[],
  work: (staging: string) => Promise<void>,
): Promise<void> {
  const parquet = duckdb.path("stage.parquet");
  await duckdb.run(`COPY (${rowsOf(prepared, stage)}) TO ${quotedString(parquet)} (FORMAT parquet)`);
  await withStaged(target, parquet, prepared.columns, work);
}

async function loadTick(loading: Loading, staging: string, batch: TickBatch): Promise<LedgerEntry> {
  const { target, table, prepared } = loading;
  const columns = prepared.columns.map(({ name }) => name);
  const after = await loadOnce(target, {
    table: table.name,
    statement: loadTickStatement({ ...batch, country: batch.rules, staging, columns }),
    read: () => readTicks(loading, spanOf([batch])),
    names: [batch.name],
  });
  const entry = after.get(batch.name);
  if (entry) return entry;
  throw new ImportError(`intake.${table.name} ${batch.name} is not in the ledger after it was loaded`);
}

/**
 * Returns the batches of the file in time order. Each has a checksum of its own content, so other ticks in the file do not matter, and of the
 * rules by which it is published.
 */
async function tickBatches({ target, table, prepared, duckdb }: Loading): Promise<TickBatch[]> {
  const values = prepared.columns.map(({ name }) => name).filter((name) => !table.replaces.includes(name));
  const batches: TickBatch[] = [];
  for (const { country, period: tick, rows } of prepared.batches.toSorted(inTime)) {
    if (tick === undefined) throw new Error(`A batch of intake.${table.name} has no tick`);
    const known = target.countries[country];
    const rules = known && loadedCountry(table, country, known);
    if (!rules) throw new ImportError(`${country} is not a known country`);
    const published = JSON.stringify([PUBLISHING_RULE_VERSION, rules.k, rules.step, rules.isProtected, rules.isStrict]);
    const content = `SELECT string_agg(concat_ws(' ', ${values.join(", ")}), chr(10) ORDER BY cell_id) AS content FROM (${rowsOf(prepared, [{ country, tick }])})`;
    const sum = `SELECT sha256(${quotedString(published)} || content) AS checksum FROM (${content})`;
    const [{ checksum }] = v.parse(Checksum, await duckdb.rows(sum));
    batches.push({ name: batchName({ country, period: tick }), country, rules, tick, rows, checksum });
  }
  return batches;
}

function inTime(one: Batch, other: Batch): number {
  return batchName(one) < batchName(other) ? -1 : 1;
}

/** Returns a DuckDB query for the rows of batches. The file is sorted by tick, so little of it is read. */
function rowsOf({ parquet }: Prepared, batches: readonly { readonly country: string; readonly tick: string }[]): string {
  const instant = (tick: string): string => `TIMESTAMPTZ ${quotedString(tick)}`;
  const ticks = batches.map(({ tick }) => instant(tick));
  const pairs = batches.map(({ country, tick }) => `(${instant(tick)}, ${quotedString(country)})`);
  return `SELECT * FROM read_parquet(${quotedString(parquet)}) WHERE tick BETWEEN ${ticks[0]} AND ${ticks.at(-1)} AND (tick, country_code) IN (${pairs.join(", ")})`;
}

function spanOf(batches: readonly TickBatch[]): TickSpan {
  const [first, last] = [batches[0], batches.at(-1)];
  if (!first || !last) throw new Error("There are no ticks");
  return { countries: [...new Set(batches.map(({ country }) => country))], first: first.tick, last: last.tick };
}

function readTicks({ target, table }: Loading, span: TickSpan): Promise<Ledger> {
  return readLedger(target, table.name, tickLedgerStatement(span));
}

function outcome(table: LoadedTable, { name }: TickBatch, { rows, version }: LedgerEntry): string {
  return `Loaded intake.${table.name} ${name}: ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}${version === 1 ? "" : `, load ${version}`}`;
}

function summary(table: LoadedTable, loaded: readonly TickBatch[], before: Ledger): string {
  const rows = loaded.reduce((sum, batch) => sum + batch.rows, 0).toLocaleString("en");
  const corrected = loaded.filter(({ name }) => before.has(name)).length;
  const { first, last } = spanOf(loaded);
  return `Loaded intake.${table.name} ${first} to ${last}: ${counted(loaded.length)} (${corrected} corrected), ${rows} rows`;
}

function counted(batches: number): string {
  return `${batches.toLocaleString("en")} ${batches === 1 ? "batch" : "batches"}`;
}
