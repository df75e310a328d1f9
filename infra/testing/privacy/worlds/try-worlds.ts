import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { clientQuery } from "../../../../shared/google/bigquery.ts";
import { NoRow, statement } from "../../../../shared/google/statement.ts";
import { FACT_TABLES } from "../../../../shared/products/catalogue.ts";
import { loadParameters } from "../../../../shared/publishing/batches.ts";
import { NESTED_LEVELS } from "../../../../shared/publishing/nesting.ts";
import { publishedAreas } from "../../../../shared/publishing/publish-areas.ts";
import type { LoadedCountry } from "../../../../shared/publishing/staged-load.ts";
import { published } from "../../../../shared/publishing/strict-profile.ts";
import { makeTables } from "../../../local/tables.ts";
import { startWarehouseUnderTest, type WarehouseUnderTest } from "../../engines/warehouse-under-test.ts";
import { bucketsOf, column, type Family, type HiddenSet, hiddenSets, isDay, peopleOf, worldsQuery } from "./family.ts";

/** How many sets of 1 to k - 1 devices of a kind there are in all worlds, and how many of them what is published tells. */
export interface Found {
  readonly family: string;
  readonly kind: HiddenSet["kind"];
  readonly sets: number;
  /** In no world with the same published rows, the set is empty. */
  readonly shown: number;
  /** In every world with the same published rows, the set has 1 to k - 1 devices. */
  readonly recovered: number;
}

/** Worlds in a warehouse, to publish in many ways. */
export interface Worlds {
  /** How many worlds each family has, by name. */
  readonly counts: Readonly<Record<string, number>>;
  /** Publishes all worlds, or those of a family, by the service's query, changed by `edit`, and returns what it tells. */
  readonly attack: (family?: string, edit?: (sql: string) => string) => Promise<Found[]>;
  readonly close: () => Promise<void>;
}

const FIRST = Date.UTC(2000, 0, 1) / 3_600_000;
const DATE = "2026-03-01";
/** Geographies of a world are numbered from a multiple of this. */
const PLACES_MAX = 16;

/** Puts every world of the families into a warehouse. Each family is a country. Worlds without a day are hours, others have geographies of their own. */
export async function startWorlds(families: readonly Family[]): Promise<Worlds> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const connection = await warehouse.connection();
  const counts: Record<string, number> = {};
  for (const [index, family] of families.entries()) counts[family.name] = await insert(connection, family, codeOf(index));
  return {
    counts,
    attack: async (name, edit = (sql) => sql) => {
      const chosen = families.flatMap((family, index) =>
        name === undefined || family.name === name ? [{ family, code: codeOf(index) }] : [],
      );
      for (const table of ["activities_hourly", "activities_daily"]) {
        const some = chosen.filter(({ family }) => table === "activities_hourly" || isDay(family));
        if (some.length > 0) await publish(warehouse, some, table, edit);
      }
      const found: Found[] = [];
      for (const { family, code } of chosen) found.push(...(await attack(connection, family, code)));
      return found;
    },
    close: async () => {
      connection.closeSync();
      await warehouse.close();
    },
  };
}

function codeOf(index: number): string {
  return `W${String(index).padStart(2, "0")}`;
}

function finestTypeOf({ places }: Family): (typeof NESTED_LEVELS)[number] | undefined {
  return NESTED_LEVELS[Math.min(...places.map(({ level }) => level))];
}

/** The table of a family's worlds. */
function worldsOf(code: string): string {
  return `worlds_${code}`;
}

/** Inserts the nesting and the rows of every world of a family, and returns how many there are. */
async function insert(connection: DuckDBConnection, family: Family, code: string): Promise<number> {
  const { places, stays } = family;
  await connection.run(`CREATE TEMP TABLE ${worldsOf(code)} AS ${worldsQuery(family)}`);
  const worlds = isDay(family) ? worldsOf(code) : "(SELECT 0 AS world)";
  const id = (name: string | undefined): string => {
    const place = places.findIndex((other) => other.name === name);
    return name === undefined ? "NULL" : `${isDay(family) ? "world" : "0"} * ${PLACES_MAX} + ${place < 0 ? PLACES_MAX - 1 : place}`;
  };
  const nesting = places.map(({ name, level, at = {}, parts = [], empty = 0 }) => {
    const around = ([1, 2, 3] as const).map((other) => (other === level ? id(name) : id(at[other])));
    return `SELECT '${code}', '${NESTED_LEVELS[level]}', ${id(name)}, ${level}, ${around.join(", ")}, ${parts.length + empty} FROM ${worlds}`;
  });
  await connection.run(
    `INSERT INTO intake.nesting (country_code, geo_type, geo_id, level, at_1, at_2, at_3, parts) ${nesting.join(" UNION ALL ")}`,
  );
  for (const [number, bucket] of bucketsOf(family).entries()) {
    const rows = places.map(({ name, level, parts = [] }) => {
      const n = column(bucket, name);
      const [s, c] = stays !== undefined && parts.length === 0 ? [`s_${n}`, `c_${n}`] : ["0", "0"];
      const time = `to_timestamp((${FIRST} + ${isDay(family) ? number : "world"}) * 3600)`;
      const values = [`'${code}'`, `'${NESTED_LEVELS[level]}'`, id(name), time, peopleOf(family, bucket, name), n, c, s, `${s} * 7`];
      return `SELECT ${values.join(", ")}, DATE '${DATE}', DATE '${DATE}' FROM ${worldsOf(code)} WHERE ${n} > 0`;
    });
    const table = bucket === "day" ? "activities_daily" : "activities_hourly";
    const columns = "country_code, geo_type, geo_id, time_bucket, people, devices, stays_count, stays_devices, stays_dwell_minutes";
    await connection.run(`INSERT INTO intake.${table} (${columns}, batch_date, loaded_on) ${rows.join(" UNION ALL ")}`);
  }
  const [[count] = []] = v.parse(v.array(v.array(v.number())), await rowsOf(connection, `SELECT count(*)::INTEGER FROM ${worldsOf(code)}`));
  return count ?? 0;
}

async function publish(
  warehouse: WarehouseUnderTest,
  families: readonly { readonly family: Family; readonly code: string }[],
  table: string,
  edit: (sql: string) => string,
): Promise<void> {
  const countries = families.map(({ code, family }): LoadedCountry => {
    const { k, step, peopleOfDevice, peopleOfFew = peopleOfDevice, isStrict = false } = family;
    const most = Math.max(peopleOfDevice, peopleOfFew);
    return { code, k, step, peopleOfDevice: most, finestType: finestTypeOf(family), isProtected: false, isStrict, distance: "none" };
  });
  const publication = FACT_TABLES.find(({ name }) => name === table)?.publication;
  if (!publication) throw new Error(`${table} is not published`);
  const batches = (alias: string): string => `${alias}.loaded_on = "${DATE}"`;
  const query = edit(publishedAreas({ table, publication, countries, batches }));
  const parameters = loadParameters({ table, countries, days: undefined, checksum: "" });
  const isPublished = published(countries, publication, table, "decided") ?? "TRUE";
  const sql = `CREATE OR REPLACE TABLE \`staging.published_${table}\` AS\nSELECT * FROM (${query}) AS decided WHERE ${isPublished}`;
  await warehouse.client.query({ ...clientQuery(statement(NoRow, sql, parameters)), wrapIntegers: false });
}

/** Groups the worlds of a family by what is published of them, and counts what each group tells of each set. */
async function attack(connection: DuckDBConnection, family: Family, code: string): Promise<Found[]> {
  const hasDay = isDay(family);
  const hour = `epoch(time_bucket)::BIGINT // 3600 - ${FIRST}`;
  const bucket = (table: string): string => (table === "activities_daily" ? String(bucketsOf(family).indexOf("day")) : hasDay ? hour : "0");
  const rows = (hasDay ? ["activities_hourly", "activities_daily"] : ["activities_hourly"]).map(
    (
      table,
    ) => `SELECT ${hasDay ? `geo_id // ${PLACES_MAX}` : hour} AS world, (${bucket(table)}) * ${family.places.length} + geo_id % ${PLACES_MAX} AS slot,
      people, stays_count, stays_devices, stays_dwell_minutes FROM staging.published_${table} WHERE country_code = '${code}'`,
  );
  const sets = hiddenSets(family);
  const { k } = family;
  const bits = (slots: readonly number[]): string => String(slots.reduce((mask, slot) => mask + 2 ** slot, 0));
  const groups = sets.map(
    ({ devices }, set) =>
      `min(${devices}) AS least_${set}, max(${devices}) AS most_${set}, count_if(${devices} BETWEEN 1 AND ${k - 1}) AS sets_${set}`,
  );
  const counts = sets.flatMap(({ told, withheld }, set) => {
    const applies = `mask & ${bits(told)} = ${bits(told)} AND mask & ${bits(withheld)} = 0`;
    const sum = (condition: string): string => `coalesce(sum(sets_${set}) FILTER (${applies} AND ${condition}), 0)::INTEGER`;
    return [sum("true"), sum(`least_${set} > 0`), sum(`least_${set} > 0 AND most_${set} < ${k}`)];
  });
  const sql = `WITH told AS (
    SELECT world, sum(1::BIGINT << slot)::BIGINT AS mask,
      list((slot, people, stays_count, stays_devices, stays_dwell_minutes) ORDER BY slot)::VARCHAR AS content
    FROM (${rows.join(" UNION ALL ")}) GROUP BY world
  ), grouped AS (
    SELECT coalesce(any_value(mask), 0) AS mask, ${groups.join(", ")}
    FROM ${worldsOf(code)} LEFT JOIN told USING (world) GROUP BY coalesce(content, '')
  ) SELECT ${counts.join(", ")} FROM grouped`;
  const [numbers = []] = v.parse(v.array(v.array(v.number())), await rowsOf(connection, sql));
  const kinds = [...new Set(sets.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const total = (part: number): number =>
      sets.reduce((sum, set, place) => sum + (set.kind === kind ? (numbers[place * 3 + part] ?? 0) : 0), 0);
    return { family: family.name, kind, sets: total(0), shown: total(1), recovered: total(2) };
  });
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}
