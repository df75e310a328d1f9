import { createHash } from "node:crypto";
import * as v from "valibot";
import { type Load, ledgerStatement, loadStatement, unknownIdsStatement } from "../../shared/warehouse/load.ts";
import { NESTED_LEVELS } from "../../shared/warehouse/publishable.ts";
import { batchName, isCurrent, type LedgerEntry, loadOnce, readLedger } from "./ledger.ts";
import type { Prepared } from "./prepare.ts";
import { Refusal } from "./refusal.ts";
import type { Source } from "./source.ts";
import { type ImportTable, isFact, type Reference } from "./tables.ts";
import type { Target } from "./target.ts";
import { query, withStaged } from "./warehouse.ts";

const Unknown = v.tuple([v.object({ unknown_ids: v.number(), examples: v.nullish(v.array(v.number()), []) })]);

interface Loading {
  readonly table: ImportTable;
  readonly target: Target;
  readonly source: Source;
  readonly prepared: Prepared;
  /** Receives a line of progress for people. */
  readonly say: (line: string) => void;
}

/** Loads prepared rows unless the ledger tells that they are there, and says what became of each batch. */
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
    const after = await loadOnce(target, { table: plan.table, statement: loadStatement({ ...plan, staging }), read, names });
    for (const name of names) say(outcome(table, name, before.get(name), after.get(name)));
    for (const reference of table.references) await warnOfUnknown(loading, staging, reference);
  });
}

async function planOf({ table, target, source, prepared }: Loading): Promise<Omit<Load, "staging">> {
  const countries = [...new Set(prepared.batches.map(({ country }) => country))].map((code) => {
    const rules = target.countries[code];
    if (!rules) throw new Refusal(`${code} is not a country of the service`);
    return { code, k: rules.k, timeZone: rules.timeZone, distance: rules.odm?.distance ?? "none" } as const;
  });
  const dates = prepared.batches.flatMap(({ period }) => (period === undefined ? [] : [period])).sort();
  const [first] = dates;
  const last = dates.at(-1);
  const levels = isFact(table) ? NESTED_LEVELS.filter((level) => prepared.geoTypes.includes(level)) : [];
  // What is computed from geographies is another result once these have been loaded anew.
  const dependsOnGeographies =
    levels.length > 1 || (table.name === "odm_daily" && countries.some(({ distance }) => distance === "centroids"));
  const geographies = dependsOnGeographies
    ? await readLedger(target, "geographies", ledgerStatement({ table: "geographies", countries, days: undefined }))
    : new Map();
  const versions = [...geographies].map(([name, { version }]) => `${name} ${version}`).sort();
  const content = [source.checksum, table.name, prepared.origins, countries, versions];
  return {
    table: table.name,
    columns: prepared.columns.map(({ name, type }) => ({ name, isGeography: type === "GEOGRAPHY" })),
    replaces: table.replaces,
    countries,
    days: first !== undefined && last !== undefined ? { first, last } : undefined,
    levels,
    checksum: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
  };
}

function outcome(table: ImportTable, batch: string, before: LedgerEntry | undefined, after: LedgerEntry | undefined): string {
  const name = `mobility.${table.name} ${batch}`;
  if (!after) throw new Refusal(`${name} is not in the ledger after it was loaded`);
  if (before?.version === after.version) return `${name}: unchanged, version ${after.version}`;
  const withheld = isFact(table) ? `${count(after.suppressed)} below the threshold, ` : "";
  return `Loaded ${name}: ${count(after.rows)} ${after.rows === 1 ? "row" : "rows"}, ${withheld}version ${after.version}`;
}

async function warnOfUnknown({ target, table, say }: Loading, staging: string, reference: Reference): Promise<void> {
  const [{ unknown_ids: unknown, examples }] = v.parse(
    Unknown,
    await query(target, unknownIdsStatement(staging, reference), { table: table.name }),
  );
  if (unknown > 0)
    say(
      `Warning: ${count(unknown)} ${unknown === 1 ? "id" : "ids"} in ${reference.id} not in mobility.${reference.table}: ${examples.join(", ")}${unknown > examples.length ? ", …" : ""}`,
    );
}

function count(number: number): string {
  return number.toLocaleString("en");
}
