import { createHash } from "node:crypto";
import { isFact, type LoadedTable, loadedCountry } from "../../shared/products/loaded-tables.ts";
import { loadedBatchesStatement, publishedBatchesStatement } from "../../shared/publishing/ledger.ts";
import { loadStatement } from "../../shared/publishing/load.ts";
import { NESTED_LEVELS, PUBLISHING_RULE_VERSION } from "../../shared/publishing/nesting.ts";
import { isFactLoad, type Load } from "../../shared/publishing/staged-load.ts";
import { followDays, refuseDaysWithoutHours } from "./days-and-hours.ts";
import { ImportError } from "./import-error.ts";
import { batchName, isCurrent, loadOnce, type PublishedEntry, readLedger, readPublished } from "./ledger.ts";
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
  const read = () => readLedger(target, plan.table, loadedBatchesStatement(plan));
  const published = () => readPublished(target, plan.table, publishedBatchesStatement(plan));
  const [before, standing] = await Promise.all([read(), published()]);
  const names = prepared.batches.map(batchName);
  if (names.every((name) => isCurrent(before.get(name), plan.checksum))) {
    const versions = [...new Set(names.map((name) => standing.get(name)?.version ?? "none yet"))];
    say(`Nothing to do: already loaded; published version ${versions.join(", ")}`);
    return;
  }
  await withStaged(target, prepared.parquet, prepared.columns, async (staging) => {
    const staged: Load = { ...plan, staging };
    const unknown = await unknownIds(target, table, staging);
    if (unknown.length > 0 && table.publication?.nesting !== undefined)
      throw new ImportError(
        `${unknown.join("\n")}\nWhat is published of a row depends on the geographies around it: load geographies first`,
      );
    if (isFactLoad(staged)) await refuseDaysWithoutHours(target, staged);
    const finishDays = isFactLoad(staged) ? await followDays(target, staged) : undefined;
    await loadOnce(target, { table: plan.table, statement: loadStatement(staged), read, names });
    const after = await published();
    for (const name of names) say(outcome(table, name, standing.get(name), after.get(name)));
    const unplaced = table.publication?.nesting === undefined ? [] : await unplacedIds(target, table, staging, nestedLevels(prepared));
    for (const line of [...unknown, ...unplaced, ...withoutFinest(plan, prepared)]) say(`Warning: ${line}`);
    await finishDays?.(names, say);
  });
}

async function planOf({ table, target, source, prepared }: Loading): Promise<Omit<Load, "staging">> {
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
  const content = [source.checksum, table.name, prepared.origins, countries, versions, ...(isFact(table) ? [PUBLISHING_RULE_VERSION] : [])];
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

/** Returns the nested types of the rows, finest first. */
function nestedLevels({ geoTypes }: Prepared): string[] {
  return NESTED_LEVELS.filter((level) => geoTypes.includes(level));
}

/** Returns a line for each country whose rows lack the finest type that it offers: nothing coarser is published. */
function withoutFinest({ countries, publication }: Pick<Load, "countries" | "publication">, { geoTypes }: Prepared): string[] {
  if (publication?.nesting === undefined) return [];
  return countries.flatMap(({ code, finestType, isProtected }) =>
    finestType === undefined || isProtected || geoTypes.includes(finestType)
      ? []
      : [
          `the file has no rows of ${finestType}, the finest type that ${code} offers. Coarser rows are published by their finest parts, so they are not published`,
        ],
  );
}

function outcome(table: LoadedTable, batch: string, before: PublishedEntry | undefined, after: PublishedEntry | undefined): string {
  const name = `mobility.${table.name} ${batch}`;
  if (!after) return `Loaded intake.${table.name} ${batch}; not published yet`;
  if (before?.version === after.version) return `${name}: published rows unchanged, version ${after.version}`;
  return `Published ${name}: ${after.rows.toLocaleString("en")} ${after.rows === 1 ? "row" : "rows"}, version ${after.version}`;
}
