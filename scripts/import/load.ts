import { createHash } from "node:crypto";
import { isFact, type LoadedTable, loadedCountry } from "../../shared/products/loaded-tables.ts";
import { keptRowsStatement } from "../../shared/publishing/kept-numbers.ts";
import { INTAKE_DAYS, loadedBatchesStatement, publishedBatchesStatement } from "../../shared/publishing/ledger.ts";
import { loadStatement } from "../../shared/publishing/load.ts";
import { PUBLISHING_RULE_VERSION } from "../../shared/publishing/nesting.ts";
import { daysWithoutFinestStatement, lostHoursStatement } from "../../shared/publishing/staged-ids.ts";
import { type FactLoad, isFactLoad, type Load } from "../../shared/publishing/staged-load.ts";
import { refuseChangedTypes } from "./changed-types.ts";
import { followDays, refuseDaysWithoutHours } from "./days-and-hours.ts";
import { ImportError } from "./import-error.ts";
import { batchName, isCurrent, type Ledger, loadOnce, type PublishedEntry, readLedger, readPublished, shownNames } from "./ledger.ts";
import type { Prepared } from "./prepare.ts";
import type { Batch } from "./row-groups.ts";
import { unknownIds, unknownParents, unplacedIds } from "./staged-ids.ts";
import type { Target } from "./target.ts";
import { query, withStaged } from "./warehouse.ts";

interface Loading {
  readonly table: LoadedTable;
  readonly target: Target;
  readonly prepared: Prepared;
  /** Whether to check the rows against the warehouse and load nothing. */
  readonly isDry?: boolean;
  /** Receives a line of progress for people. */
  readonly say: (line: string) => void;
}

/**
 * Loads prepared rows, unless the ledger has them already, and reports the outcome of each batch. Throws an ImportError if the warehouse has not what
 * they need.
 */
export async function load(loading: Loading): Promise<void> {
  const { target, table, prepared, isDry = false, say } = loading;
  const plan = await planOf(loading);
  const read = () => readLedger(target, plan.table, loadedBatchesStatement(plan));
  const published = () => readPublished(target, plan.table, publishedBatchesStatement(plan));
  const [before, standing] = await Promise.all([read(), published()]);
  const names = prepared.batches.map(batchName);
  const isLoaded = (name: string): boolean => isCurrent(before.get(name), plan.checksum);
  if (names.every(isLoaded)) {
    const versions = [...new Set(names.map((name) => standing.get(name)?.version ?? "none yet"))];
    say(`Nothing to do: already loaded, published version ${versions.join(", ")}`);
    return;
  }
  const fresh = prepared.batches.filter((batch) => !isLoaded(batchName(batch)));
  await withStaged(target, prepared.parquet, prepared.columns, async (staging) => {
    const staged: Load = { ...plan, staging };
    const unknown = await unknownIds(target, table, staging);
    await refuseUnpublishable(loading, staged, unknown);
    if (isDry) return sayWarnings(unknown, say);
    const facts = isFactLoad(staged) ? await loadOfFacts(loading, staged, fresh, before) : undefined;
    await loadOnce(target, { table: plan.table, statement: loadStatement(staged), read, names });
    const after = await published();
    for (const name of names.filter(isLoaded)) say(`${table.name} ${name}: already loaded, published version ${after.get(name)?.version}`);
    for (const batch of fresh) {
      const name = batchName(batch);
      const loaded = isFact(table) ? outcome(batch, standing.get(name), after.get(name)) : newVersion(after.get(name));
      say(`Loaded ${table.name} ${name}: ${loaded}`);
    }
    const unplaced = table.publication?.nesting === undefined ? [] : await unplacedIds(target, table, staging, prepared.geoTypes);
    const columns = plan.columns.map(({ name }) => name);
    const orphans = await unknownParents(target, table, staging, columns);
    sayWarnings([...unknown, ...unplaced, ...orphans], say);
    await facts?.(names);
  });
}

/** Throws an ImportError for rows that cannot be published: of unknown geographies, of days without their hours, of other geography types than before. */
async function refuseUnpublishable({ target, table }: Loading, staged: Load, unknown: readonly string[]): Promise<void> {
  if (unknown.length > 0 && table.publication?.nesting !== undefined)
    throw new ImportError(`${unknown.join("\n")}\nWhat is published of a row depends on the geographies around it: load geographies first`);
  if (!isFactLoad(staged)) return;
  await refuseDaysWithoutHours(target, staged);
  await refuseChangedTypes(target, staged);
}

/**
 * Reads what a load of facts changes, before it runs. Returns what to do and to say afterwards, for the names of its batches.
 * @param fresh the batches that are not loaded already
 */
async function loadOfFacts(
  { target, table, say }: Loading,
  load: FactLoad,
  fresh: readonly Batch[],
  before: Ledger,
): Promise<(names: readonly string[]) => Promise<void>> {
  const names = fresh.map(batchName);
  const kept = await keptRows(target, load, names);
  const lost = table.bucket === "hour" ? await lostHours(target, load) : [];
  const returned = names.filter((name) => before.get(name)?.hasLeft);
  const finishDays = await followDays(target, load);
  return async (loaded) => {
    if (kept !== undefined) say(kept);
    if (returned.length > 0)
      say(`${shownNames(returned)}: the earlier rows had left intake, so published numbers stay where the new ones are within one step`);
    sayWarnings([...lost, ...(await withoutFinest(target, table, load))], say);
    await finishDays?.(loaded, say);
    say(`Raw rows stay in intake for ${INTAKE_DAYS} days; mobility.${load.table} has what is published of them`);
  };
}

function sayWarnings(lines: readonly string[], say: (line: string) => void): void {
  for (const line of lines) say(`Warning: ${line}`);
}

async function planOf({ table, target, prepared }: Loading): Promise<Omit<Load, "staging">> {
  const countries = [...new Set(prepared.batches.map(({ country }) => country))].map((code) => {
    const rules = target.countries[code];
    if (!rules) throw new ImportError(`${code} is not a known country`);
    const loaded = loadedCountry(table, code, rules);
    if (!loaded) throw new ImportError(`${code} does not offer the product of ${table.name}: add it to the country's rules first`);
    return { ...loaded, timeZone: rules.timeZone };
  });
  const dates = prepared.batches.flatMap(({ period }) => (period === undefined ? [] : [period])).sort();
  const [first] = dates;
  const last = dates.at(-1);
  // What is published depends on the geographies, so their versions are part of the checksum.
  const geographies = isFact(table)
    ? await readLedger(target, "geographies", loadedBatchesStatement({ table: "geographies", countries, days: undefined }))
    : new Map();
  const versions = [...geographies].map(([name, { version }]) => `${name} ${version}`).sort();
  const content = [
    prepared.checksum,
    table.name,
    prepared.origins,
    countries,
    versions,
    // A file that a release without a computed column has loaded is loaded again.
    ...(isFact(table) ? [PUBLISHING_RULE_VERSION] : table.computed),
  ];
  return {
    table: table.name,
    columns: prepared.columns.map(({ name, type }) => ({ name, isGeography: type === "GEOGRAPHY" })),
    key: table.key,
    replaces: table.replaces,
    countries,
    publication: table.publication,
    days: isFact(table) && first !== undefined && last !== undefined ? { first, last } : undefined,
    checksum: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
  };
}

/** Returns a line on the rows that a correction changes by too little to change their numbers. */
async function keptRows(target: Target, load: FactLoad, names: readonly string[]): Promise<string | undefined> {
  const batches = await query(target, keptRowsStatement(load), { table: load.table });
  const rows = batches
    .filter(({ country_code: country, period }) => names.includes(batchName({ country, period })))
    .reduce((sum, batch) => sum + batch.kept_rows, 0);
  if (rows === 0) return undefined;
  return `${counted(rows)} kept the published numbers: fewer than k devices differ from the rows before`;
}

/** Returns a line for each day of which the load deletes hours: of files by UTC day, each one replaces the end of the one before. */
async function lostHours(target: Target, load: FactLoad): Promise<string[]> {
  const days = await query(target, lostHoursStatement(load), { table: load.table });
  return days.map(({ country_code: country, period, hours }) => {
    const are = hours === 1 ? "1 hour that was loaded before is" : `${hours} hours that were loaded before are`;
    const zone = target.countries[country]?.timeZone;
    return `${batchName({ country, period })}: ${are} not in this file, and gone: a file replaces its days whole, and a day is that of ${zone}`;
  });
}

/** Returns a line on the days whose rows lack the finest type that the country offers: nothing of them is published. */
async function withoutFinest(target: Target, { publication, references }: LoadedTable, load: FactLoad): Promise<string[]> {
  const countries = load.countries.filter(({ isProtected }) => !isProtected);
  if (publication?.nesting === undefined || countries.length === 0) return [];
  const days = await query(target, daysWithoutFinestStatement(load, references), { table: load.table });
  return countries.flatMap(({ code, finestType }) => {
    const names = days.flatMap(({ country_code: country, period }) => (country === code ? [batchName({ country, period })] : []));
    if (finestType === undefined || names.length === 0) return [];
    return [
      `${shownNames(names)}: no row has ${finestType}, the finest type that ${code} offers. Coarser rows are published by their finest parts, so nothing is published`,
    ];
  });
}

function outcome({ rows }: Batch, before: PublishedEntry | undefined, after: PublishedEntry | undefined): string {
  if (!after) return `${counted(rows)}, not published yet`;
  if (before?.version === after.version)
    return `${counted(rows)}, ${after.rows.toLocaleString("en")} published as before, version ${after.version}`;
  return `${counted(rows)}, ${after.rows.toLocaleString("en")} published, version ${after.version}`;
}

function newVersion(after: PublishedEntry | undefined): string {
  return after ? `${counted(after.rows)}, version ${after.version}` : "no rows";
}

function counted(rows: number): string {
  return `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`;
}
