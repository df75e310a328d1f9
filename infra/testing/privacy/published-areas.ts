import * as v from "valibot";
import { clientQuery } from "../../../shared/google/bigquery.ts";
import { NoRow, statement } from "../../../shared/google/statement.ts";
import { FACT_TABLES } from "../../../shared/products/catalogue.ts";
import { loadParameters } from "../../../shared/publishing/batches.ts";
import type { Publication } from "../../../shared/publishing/fact-table.ts";
import { nestingStatements } from "../../../shared/publishing/nesting-statements.ts";
import { publishedAreas } from "../../../shared/publishing/publish-areas.ts";
import type { LoadedCountry } from "../../../shared/publishing/staged-load.ts";
import { makeTables } from "../../local/tables.ts";
import { startWarehouseUnderTest } from "../engines/warehouse-under-test.ts";

/** A raw row: a place by name, its devices, and what differs from hour 10 of the first day and four people a device. */
type RawArea = readonly [place: string, devices: number, rest?: RawRest];
interface RawRest {
  readonly hour?: number;
  readonly day?: number;
  readonly country?: string;
  readonly people?: number;
  readonly stays_devices?: number;
  readonly stays_count?: number;
  readonly stays_dwell_minutes?: number;
}

/** A geography by name: type, id, and the id of its parent. */
export type Geographies = Readonly<Record<string, readonly [type: string, id: number, parent: number | null]>>;

export const EST: LoadedCountry = {
  code: "EST",
  k: 5,
  step: 20,
  peopleOfDevice: 4,
  finestType: "grid_250m",
  isProtected: false,
  distance: "none",
};
const FIRST = "2026-02-28";

const Row = v.object({
  country_code: v.string(),
  day: v.string(),
  hour: v.number(),
  geo_type: v.string(),
  geo_id: v.number(),
  people: v.number(),
  stays_count: v.number(),
  stays_dwell_minutes: v.number(),
  stays_devices: v.number(),
});
type Row = v.InferOutput<typeof Row>;

interface Published {
  readonly countries?: readonly LoadedCountry[];
  readonly hours?: readonly RawArea[];
  readonly days?: readonly RawArea[];
  /** Whether the hours of days are decided before, in a table of their own. */
  readonly areHoursDecided?: boolean;
  /** Left out: that of Activities. */
  readonly publication?: Publication;
}

export interface AreaPublisher {
  /** Runs a text with the parameters of countries. */
  readonly run: (sql: string, countries?: readonly LoadedCountry[]) => Promise<unknown[]>;
  /** Returns the published rows of raw rows, by the name of the place: of days if there are raw days, otherwise of hours. */
  readonly rows: (raw: Published) => Promise<(Row & { readonly name: string })[]>;
  /** Returns their people by name. */
  readonly people: (raw: Published) => Promise<Record<string, number>>;
  readonly close: () => Promise<void>;
}

/** Starts a warehouse with geographies, which are the same in all countries, that publishes raw rows of areas by the service's queries. */
export async function startAreas(geographies: Geographies, countries: readonly LoadedCountry[]): Promise<AreaPublisher> {
  const warehouse = await startWarehouseUnderTest();
  await makeTables(warehouse);
  const run: AreaPublisher["run"] = async (sql, given = countries) => {
    const parameters = loadParameters({ table: "", countries: given, days: undefined, checksum: "" });
    const [rows] = await warehouse.client.query({ ...clientQuery(statement(NoRow, sql, parameters)), wrapIntegers: false });
    return rows;
  };
  const named = Object.entries(geographies);
  const places = countries.flatMap(({ code }) =>
    named.map(([name, [type, id, parent]]) => `('${code}', '${type}', ${id}, '${name}', ${parent ?? "NULL"}, 25, 59)`),
  );
  await run(`INSERT INTO mobility.geographies (country_code, geo_type, geo_id, geo_name, parent_id, lon, lat) VALUES ${places.join(", ")}`);
  for (const sql of nestingStatements(countries)) await run(sql);

  const fill = async (table: string, rows: readonly RawArea[]): Promise<void> => {
    await run(`DELETE FROM intake.${table} WHERE loaded_on > "1970-01-01"`);
    const lines = rows.map(([name, devices, rest = {}]) => {
      const [type, id] = geographies[name] ?? ["", 0];
      const { hour = 10, day = 1, country = "EST", people = devices * 4 } = rest;
      const time = `TIMESTAMP_ADD(TIMESTAMP "${FIRST}", INTERVAL ${day * 24 + hour} HOUR)`;
      const stays = [rest.stays_count ?? 0, rest.stays_dwell_minutes ?? 0, rest.stays_devices ?? 0];
      return `('${country}', '${type}', ${id}, ${time}, ${people}, ${stays.join(", ")}, ${devices}, DATE_ADD(DATE "${FIRST}", INTERVAL ${day} DAY), DATE "2026-03-05")`;
    });
    const columns =
      "country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, devices, batch_date, loaded_on";
    if (lines.length > 0) await run(`INSERT INTO intake.${table} (${columns}) VALUES ${lines.join(", ")}`);
  };
  const rows: AreaPublisher["rows"] = async ({ countries: given = countries, hours = [], days, publication, areHoursDecided }) => {
    await fill("activities_hourly", hours);
    await fill("activities_daily", days ?? []);
    const table = days ? "activities_daily" : "activities_hourly";
    const rule = publication ?? FACT_TABLES.find(({ name }) => name === table)?.publication;
    if (!rule) throw new Error(`${table} is not published`);
    const batches = (alias: string): string => `${alias}.loaded_on > "1970-01-01"`;
    const areas = { publication: rule, countries: given, batches };
    if (areHoursDecided)
      await run(`CREATE OR REPLACE TABLE \`staging.decided\` AS\n${publishedAreas({ ...areas, table: "activities_hourly" })}`, given);
    const query = publishedAreas({ ...areas, table, decidedHours: areHoursDecided ? "staging.decided" : undefined });
    const values = ["people", "stays_count", "stays_dwell_minutes", "stays_devices"];
    const known = new Set(rule.values.map(({ column }) => column));
    const found = await run(
      `SELECT country_code, FORMAT_DATE("%F", batch_date) AS day, EXTRACT(HOUR FROM time_bucket) AS hour, geo_type, geo_id,
        ${values.map((name) => `${known.has(name) ? name : 0} AS ${name}`).join(", ")}
      FROM (${query}) ORDER BY country_code, day, hour, geo_type DESC, geo_id`,
      given,
    );
    const nameOf = (row: Row): string => named.find(([, [type, id]]) => type === row.geo_type && id === row.geo_id)?.[0] ?? "?";
    return v.parse(v.array(Row), found).map((row) => ({ ...row, name: nameOf(row) }));
  };
  return {
    run,
    rows,
    people: async (raw) => Object.fromEntries((await rows(raw)).map(({ name, people }) => [name, people])),
    close: () => warehouse.close(),
  };
}
