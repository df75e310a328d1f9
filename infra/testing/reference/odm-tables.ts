import * as v from "valibot";
import { openDump } from "./dump.ts";
import { dateOfDay, groupKey, type Names, Numbers, readNames, readVersions, Texts, type Versions } from "./tables.ts";

/** A row of `odm_daily`. */
export interface OdmTableRow {
  readonly batchDate: string;
  readonly originGeoId: number;
  readonly destinationGeoId: number;
  readonly trips: number;
  readonly distanceMetres: number | null;
  readonly speedKmh: number | null;
}

export interface OdmTables {
  /** By country, type of the origin and type of the destination. */
  readonly rows: ReadonlyMap<string, readonly OdmTableRow[]>;
  readonly names: Names;
  readonly versions: Versions;
}

const Measures = v.array(v.nullable(v.number()));
const Columns = v.tuple([Texts, Texts, Texts, Numbers, Numbers, Numbers, Numbers, Measures, Measures]);
const SELECT = `country_code, origin_geo_type, destination_geo_type, (batch_date - DATE '1970-01-01')::DOUBLE,
  origin_geo_id::DOUBLE, destination_geo_id::DOUBLE, trips::DOUBLE, general_distance_m, average_speed_kmh`;

/** Reads every row of the matrix. */
export async function readOdmTables(): Promise<OdmTables> {
  const [rows, names, versions] = await Promise.all([readRows(), readNames(), readVersions()]);
  return { rows, names, versions };
}

async function readRows(): Promise<OdmTables["rows"]> {
  const dump = await openDump("SELECT * FROM mobility.odm_daily WHERE batch_date > '1970-01-01'");
  try {
    const [countries, origins, destinations, days, from, to, trips, distances, speeds] = v.parse(
      Columns,
      await dump.columns(SELECT, "ORDER BY ALL"),
    );
    const groups = new Map<string, OdmTableRow[]>();
    for (const [index, country] of countries.entries()) {
      const key = groupKey(country, origins[index] ?? "", destinations[index] ?? "");
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({
        batchDate: dateOfDay(days[index] ?? Number.NaN),
        originGeoId: from[index] ?? Number.NaN,
        destinationGeoId: to[index] ?? Number.NaN,
        trips: trips[index] ?? Number.NaN,
        distanceMetres: distances[index] ?? null,
        speedKmh: speeds[index] ?? null,
      });
    }
    return groups;
  } finally {
    dump.close();
  }
}
