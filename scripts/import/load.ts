import { createHash } from "node:crypto";
import { distanceRule } from "../../shared/products/catalogue.ts";
import { isFact, type LoadedTable } from "../../shared/products/loaded-tables.ts";
import { ledgerStatement, loadStatement } from "../../shared/publishing/load.ts";
import { NESTED_LEVELS, PUBLISHING_RULE_VERSION } from "../../shared/publishing/nesting.ts";
import type { Load } from "../../shared/publishing/staged-load.ts";
import { keepDaysInStep } from "./days-from-hours.ts";
import { ImportError } from "./import-error.ts";
import { batchName, isCurrent, type LedgerEntry, loadOnce, readLedger } from "./ledger.ts";
import type { Prepared } from "./prepare.ts";
import type { Source } from "./source.ts";
import { unknownIds, unplacedIds } from "./staged-ids.ts";
import type { Target } from "./target.ts";
import { withStaged } from "./warehouse.ts";

interface Loading {
  readonly table: LoadedTable;
  readonly target: Target;
  readonly source: Source;
  readonly prepared: Prepared;
  /** Receives a line of progress for people. */
  readonly say: (line: string) => void;
}

/** Loads prepared rows, unless the ledger has them already, and reports the outcome of each batch. */
export async function load(loading: Loading): Promise<void> {
  const { target, table, prepared, say } = loading;
  const plan = await planOf(loading);
  const read = () => readLedger(target, plan.table, ledgerStatement(plan));
  const before = await read();
  const names = prepared.batches.map(batchName);
  if (names.every((name) => isCurrent(before.get(name), plan.checksum))) {
    const versions = [...new Set(names.map((name) => before.get(name)?.version))];
    say(`Nothing to do: already loaded as version ${versions.join(", ")}`);
    return;
  }
  await withStaged(target, prepared.parquet, prepared.columns, async (staging) => {
    const unknown = await unknownIds(target, table, staging);
    if (unknown.length > 0 && isNested(plan) && table.bucket !== undefined)
      throw new ImportError(
        `${unknown.join("\n")}\nThe file holds several levels, and publishing coarser rows requires knowing which geographies they contain: load geographies first`,
      );
    const finishDays = await keepDaysInStep(target, { ...plan, staging });
    const after = await loadOnce(target, { table: plan.table, statement: loadStatement({ ...plan, staging }), read, names });
    for (const name of names) say(outcome(table, name, before.get(name), after.get(name)));
    const unplaced = isNested(plan) ? await unplacedIds(target, table, staging, plan.levels) : [];
    for (const line of [...unknown, ...unplaced]) say(`Warning: ${line}`);
    await finishDays(
      names.filter((name) => before.get(name)?.version !== after.get(name)?.version),
      say,
    );
  });
}

async function planOf({ table, target, source, prepared }: Loading): Promise<Omit<Load, "staging">> {
  const countries = [...new Set(prepared.batches.map(({ country }) => country))].map((code) => {
    const rules = target.countries[code];
    if (!rules) throw new ImportError(`${code} is not a known country`);
    return { code, k: rules.k, timeZone: rules.timeZone, distance: distanceRule(rules) } as const;
  });
  const dates = prepared.batches.flatMap(({ period }) => (period === undefined ? [] : [period])).sort();
  const [first] = dates;
  const last = dates.at(-1);
  const levels = isFact(table) ? NESTED_LEVELS.filter((level) => prepared.geoTypes.includes(level)) : [];
  // Values computed from geographies change when geographies are reloaded, so their versions are part of the checksum.
  const dependsOnGeographies =
    isNested({ levels }) || (table.publication?.distanceColumn !== undefined && countries.some(({ distance }) => distance === "centroids"));
  const geographies = dependsOnGeographies
    ? await readLedger(target, "geographies", ledgerStatement({ table: "geographies", countries, days: undefined }))
    : new Map();
  const versions = [...geographies].map(([name, { version }]) => `${name} ${version}`).sort();
  const content = [source.checksum, table.name, prepared.origins, countries, versions, ...(isFact(table) ? [PUBLISHING_RULE_VERSION] : [])];
  return {
    table: table.name,
    columns: prepared.columns.map(({ name, type }) => ({ name, isGeography: type === "GEOGRAPHY" })),
    replaces: table.replaces,
    countries,
    publication: table.publication,
    days: first !== undefined && last !== undefined ? { first, last } : undefined,
    levels,
    checksum: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
  };
}

/** Returns whether rows are of several levels, so that one row's values can reveal another's. */
function isNested({ levels }: Pick<Load, "levels">): boolean {
  return levels.length > 1;
}

function outcome(table: LoadedTable, batch: string, before: LedgerEntry | undefined, after: LedgerEntry | undefined): string {
  const name = `mobility.${table.name} ${batch}`;
  if (!after) throw new ImportError(`${name} is not in the ledger after it was loaded`);
  if (before?.version === after.version) return `${name}: unchanged, version ${after.version}`;
  const withheld = isFact(table) ? `${count(after.suppressed)} below the threshold, ` : "";
  return `Loaded ${name}: ${count(after.rows)} ${after.rows === 1 ? "row" : "rows"}, ${withheld}version ${after.version}`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}
