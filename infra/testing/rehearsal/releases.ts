import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as v from "valibot";
import { decompressed, releasedFile } from "../../../scripts/release/recorded.ts";
import { COLUMN } from "../../../shared/products/testing/new-product/added-column.ts";
import { overlay } from "../../../shared/products/testing/new-product/overlay.ts";
import { DefinedTables, Released } from "../../migrations/released.ts";
import { migrationsOf } from "./tables.ts";

const ROOT = new URL("../../../", import.meta.url);

/** A release that can be deployed in a rehearsal. */
interface Release {
  readonly title: string;
  /** The path of the program that serves its functions. */
  readonly program: string;
}

/** Two releases, the second of which follows the first. */
export interface Succession {
  readonly before: Release;
  /** The tables as the first release has them, if they are not those of this checkout. */
  readonly released: Released | undefined;
  readonly after: Release & { readonly root: URL };
  /** How many migrations lie between them, and the columns that they add. */
  readonly migrations: number;
  readonly columns: readonly string[];
  /** Whether a backup is restored at the end: once is enough, since it concerns one version. */
  readonly isRestored: boolean;
  /** What gives the new columns values, as an import of the second release does. */
  readonly values: readonly string[];
  /** A measure that only the second release knows. */
  readonly newMeasure: string | undefined;
  readonly remove: () => void;
}

/** Writes the program of the last release's functions to a folder. Returns its path. */
export function unpackReleased(folder: string): string {
  const program = join(folder, "functions.mjs");
  writeFileSync(program, decompressed(readFileSync(releasedFile("functions.mjs"))));
  return program;
}

/** From the last release, whose functions `npm run release` has recorded, to this checkout. */
export function fromReleased(folder: string): Succession {
  const released = v.parse(Released, json("infra/released/warehouse.json"));
  const { tables } = v.parse(DefinedTables, json("infra/generated/tables.json"));
  const program = unpackReleased(folder);
  return {
    before: { title: "the last release", program },
    released,
    after: { title: "this checkout", ...checkout(ROOT) },
    migrations: migrationsOf(ROOT).length - Object.keys(released.migrations).length,
    columns: columnsOf(tables).filter((column) => !columnsOf(released.tables).includes(column)),
    isRestored: true,
    values: [],
    newMeasure: undefined,
    remove: () => undefined,
  };
}

/** From this checkout to a copy of it with a new column in two tables, and a measure on it. */
export function toNextColumn(): Succession {
  const number = String(migrationsOf(ROOT).length + 1).padStart(3, "0");
  const folder = "shared/products/testing/new-product";
  const copy = overlay([
    ...COLUMN,
    { file: `infra/warehouse/migrations/${number}-stays-abroad.sql`, copyOf: `${folder}/stays_abroad.sql` },
  ]);
  const tables = ["intake", "mobility"].flatMap((dataset) =>
    ["activities_daily", "activities_hourly"].map((table) => `${dataset}.${table}`),
  );
  return {
    before: { title: "this checkout", ...checkout(ROOT) },
    released: undefined,
    after: { title: "a copy with a new column", ...checkout(pathToFileURL(`${copy.root}/`)) },
    migrations: 1,
    columns: tables.map((table) => `${table}.stays_abroad`),
    isRestored: false,
    values: ["UPDATE mobility.activities_daily SET stays_abroad = 20 WHERE batch_date >= DATE '2020-01-01'"],
    newMeasure: "stays_abroad",
    remove: copy.remove,
  };
}

function checkout(root: URL): { readonly root: URL; readonly program: string } {
  return { root, program: fileURLToPath(new URL("infra/local/functions.ts", root)) };
}

function columnsOf(tables: DefinedTables): string[] {
  return Object.entries(tables).flatMap(([table, { schema }]) => schema.map(({ name }) => `${table}.${name}`));
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, ROOT), "utf8"));
}
